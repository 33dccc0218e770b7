import { apiError } from "@parlance/protocol";
import { defaultRequest, type Speech, type SpeechRequest, type SpeechVoice, withSignals } from "@parlance/speech";
import { createSlots } from "../../lib/slots.ts";
import type { Store } from "../../stores/store.ts";
import type { VoiceRecord, Voices } from "./voices.ts";

export interface VoiceSample {
  readonly bytes: Buffer;
  readonly type: string;
}

export interface VoiceSamples {
  /** A short sample of the voice. Synthesized on the first request, then stored. */
  get(voice: VoiceRecord, signal: AbortSignal): Promise<VoiceSample>;
  close(): void;
}

export interface SampleParts {
  readonly store: Store;
  readonly speech: Pick<Speech, "speak">;
  readonly voices: Pick<Voices, "spoken">;
}

const TYPE = "audio/mpeg";
const MAKE_MS = 60_000;
/** How many samples may wait to be synthesized. */
const MAX_WAITING = 31;

export function createVoiceSamples({ store, speech, voices }: SampleParts, makeMs = MAKE_MS): VoiceSamples {
  const closing = new AbortController();
  /** Requests for the same sample share the work. */
  const making = new Map<string, Promise<VoiceSample>>();
  /** One at a time, so that samples do not slow down speech. */
  const slots = createSlots({
    slots: 1,
    maxWaiting: MAX_WAITING,
    onFull: () => apiError("overloaded", {}, { retryAfterSeconds: 5 }),
  });

  const make = async (voice: VoiceRecord): Promise<VoiceSample> => {
    const spoken = await voices.spoken(voice);
    if (spoken === undefined)
      throw apiError("not_ready", { missing: `the engine ${voice.engine}` }, { retryAfterSeconds: 10 });
    const late = new AbortController();
    // Not AbortSignal.timeout: nothing would hold it, and a garbage collection would end it.
    const timer = setTimeout(() => late.abort(apiError("overloaded", {}, { retryAfterSeconds: 5 })), makeMs);
    const parts: Uint8Array[] = [];
    await withSignals([closing.signal, late.signal], async (signal) => {
      for await (const part of speech.speak(requestOf(spoken, voice.defaultText), signal)) parts.push(part.bytes);
      signal.throwIfAborted();
    }).finally(() => clearTimeout(timer));
    const bytes = Buffer.concat(parts);
    await save(voice, bytes);
    return { bytes, type: TYPE };
  };
  const save = (voice: VoiceRecord, bytes: Buffer): Promise<void> =>
    store.transaction(async (records) => {
      // The voice may have been deleted or refined in the meantime.
      if ((await records.voices.find(voice.id))?.version !== voice.version) return;
      await records.voiceBlobs.put(voice.id, "sample", { number: 0, type: TYPE, text: String(voice.version), bytes });
    });
  const queued = (voice: VoiceRecord): Promise<VoiceSample> => {
    const key = `${voice.id} ${voice.version}`;
    const known = making.get(key);
    if (known !== undefined) return known;
    const result = slots.run(() => make(voice)).finally(() => making.delete(key));
    making.set(key, result);
    return result;
  };
  return {
    async get(voice, signal) {
      const kept = await store.voiceBlobs.find(voice.id, "sample");
      if (kept?.text === String(voice.version)) return kept;
      signal.throwIfAborted();
      return queued(voice);
    },
    close: () => closing.abort(new Error("the server is shutting down")),
  };
}

function requestOf(voice: SpeechVoice, text: string): SpeechRequest {
  const output = { format: "mp3", sampleRate: 44_100, mp3Bitrate: 64, opusBitrate: "auto" } as const;
  return defaultRequest(text, voice, { output, latency: "normal", normalizeLoudness: true });
}
