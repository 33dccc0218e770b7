import { apiError } from "@parlance/protocol";
import { plainRequest, type Speech, type SpeechRequest, type SpokenVoice } from "@parlance/speech";
import type { Store } from "../../stores/store.ts";
import type { VoiceRecord, Voices } from "./voices.ts";

export interface VoiceSample {
  readonly bytes: Buffer;
  readonly type: string;
}

export interface VoiceSamples {
  /** What the voice sounds like. Made when somebody first asks for it, then kept. */
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
/** Voices whose samples may be made or wait at one time. */
const MAX_PENDING_SIZE = 32;

export function createVoiceSamples({ store, speech, voices }: SampleParts): VoiceSamples {
  const closing = new AbortController();
  /** Everybody who asks for the same sample waits for the same work. */
  const making = new Map<string, Promise<VoiceSample>>();
  /** One at a time: samples may wait, speech may not. */
  let turn: Promise<unknown> = Promise.resolve();

  const make = async (voice: VoiceRecord): Promise<VoiceSample> => {
    const spoken = await voices.spoken(voice);
    if (spoken === undefined)
      throw apiError("not_ready", { missing: `the engine ${voice.engine}` }, { retryAfterSeconds: 10 });
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(MAKE_MS)]);
    const parts: Uint8Array[] = [];
    for await (const part of speech.speak(requestOf(spoken, voice.defaultText), signal)) parts.push(part.bytes);
    signal.throwIfAborted();
    const bytes = Buffer.concat(parts);
    await keep(voice, bytes);
    return { bytes, type: TYPE };
  };
  const keep = (voice: VoiceRecord, bytes: Buffer): Promise<void> =>
    store.transaction(async (records) => {
      // It may have been deleted, or sound different by now: then nothing is left behind.
      if ((await records.voices.find(voice.id))?.version !== voice.version) return;
      await records.voiceBlobs.put(voice.id, "sample", { number: 0, type: TYPE, text: String(voice.version), bytes });
    });
  const queued = (voice: VoiceRecord): Promise<VoiceSample> => {
    const key = `${voice.id} ${voice.version}`;
    const known = making.get(key);
    if (known !== undefined) return known;
    if (making.size >= MAX_PENDING_SIZE) throw apiError("overloaded", {}, { retryAfterSeconds: 5 });
    const result = turn.then(() => make(voice)).finally(() => making.delete(key));
    turn = result.catch(() => {});
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

function requestOf(voice: SpokenVoice, text: string): SpeechRequest {
  const output = { format: "mp3", sampleRate: 44_100, mp3Bitrate: 64, opusBitrate: "auto" } as const;
  return plainRequest(text, voice, { output, latency: "normal", normalizeLoudness: true });
}
