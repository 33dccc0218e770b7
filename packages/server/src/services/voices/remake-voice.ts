import { type ClonedSound, type Cloning, cloningEngine } from "@parlance/speech";
import { isoTime } from "../../lib/time.ts";
import type { NextStage } from "../../stores/remake-queue.ts";
import type { Store } from "../../stores/store.ts";
import type { VoiceBlob } from "../../stores/voice-blobs.ts";
import { type LogFor, logEvent } from "../../telemetry/log-events.ts";
import { clonedLanguages, embeddingBlob, soundOf } from "./cloned-sound.ts";
import type { createNetworkVectors, NetworkVectors } from "./network-vectors.ts";
import { isPassingFault } from "./passing-fault.ts";
import { networkVectorBlob, toAnalysis } from "./recording-analysis.ts";
import type { VoiceFiles } from "./voice-files.ts";

export interface RemakeParts {
  readonly store: Store;
  readonly files: Pick<VoiceFiles, "read">;
  readonly nodeId: string;
  readonly cloning: Pick<Cloning, "remake">;
  /** Undefined while no recognizer is installed. */
  readonly transcribe: (recording: Buffer, signal: AbortSignal) => Promise<string | undefined>;
  readonly networkVectors: ReturnType<typeof createNetworkVectors>;
  /** Whether the voice is refined after that. */
  readonly isRefined: (voice: ClonedSound) => boolean;
  readonly log: LogFor<"voice.pace-set" | "voice.remade" | "voice.transcription-failed">;
  readonly now: () => number;
}

/**
 * Reference audio without a text is transcribed, for the pace of the speaker. Then the voice is made anew from the analysis of
 * its recordings, which are analyzed again where it lacks something.
 */
export function createRemaking(parts: RemakeParts): (voiceId: string, signal: AbortSignal) => Promise<void> {
  const { store, files, nodeId, cloning, isRefined, log, now } = parts;

  const transcribe = async (recording: VoiceBlob, signal: AbortSignal): Promise<string | undefined> => {
    const bytes = await files.read(recording, signal);
    return bytes && parts.transcribe(bytes, signal);
  };

  async function transcribeRecordings(voiceId: string, signal: AbortSignal): Promise<readonly VoiceBlob[]> {
    for (const recording of await store.voiceBlobs.list(voiceId, "recording")) {
      if (recording.text !== null) continue;
      signal.throwIfAborted();
      const transcript = await transcribe(recording, signal).catch((err: unknown) => {
        if (isPassingFault(err)) throw err;
        if (!signal.aborted) logEvent(log, "voice.transcription-failed", { err, voiceId });
        return undefined;
      });
      if (transcript !== undefined) await store.voiceBlobs.setText(voiceId, "recording", recording.number, transcript);
    }
    return store.voiceBlobs.list(voiceId, "recording");
  }

  /** False when the voice was deleted or belongs to another node by now. */
  async function save(
    voiceId: string,
    voice: ClonedSound,
    { measured }: NetworkVectors,
    next: NextStage,
  ): Promise<boolean> {
    return store.transaction(async (records) => {
      const at = isoTime(now());
      if (!(await records.remakeQueue.save(voiceId, nodeId, soundOf(voice), at, next))) return false;
      for (const kind of ["sample", "decoder-offsets"] as const) await records.voiceBlobs.remove(voiceId, kind);
      await records.voiceBlobs.put(voiceId, "embedding", embeddingBlob(voice));
      for (const [number, vector] of measured)
        await records.voiceBlobs.put(voiceId, "network-vector", { number, ...networkVectorBlob(vector) });
      await records.voices.setLanguages(voiceId, clonedLanguages);
      return true;
    });
  }

  return async (voiceId, signal) => {
    const recordings = await transcribeRecordings(voiceId, signal);
    const heard = await store.voiceBlobs.list(voiceId, "heard");
    const before = await store.voices.find(voiceId);
    const encoder = (await store.voiceBlobs.find(voiceId, "embedding"))?.text;
    // Deleted in the meantime.
    if (before === undefined) return;
    if (heard.length === 0) throw new Error("nothing is kept of its recordings");
    const vectors = await parts.networkVectors(voiceId, recordings, signal);
    const voice = await cloning.remake(
      heard.map((analysis, index) => ({
        ...toAnalysis(analysis),
        networkVector: vectors.known.get(analysis.number),
        text: recordings[index]?.text,
      })),
      signal,
    );
    const isSame = before.engine === cloningEngine.name && encoder === voice.encoder;
    const toRefine = isSame ? "refine" : "refine-later";
    if (!(await save(voiceId, voice, vectors, isRefined(voice) ? toRefine : "done"))) return;
    const { pace, pitch } = voice;
    const isPaceKnown = recordings.some(({ text }) => text !== null);
    if (isSame && isPaceKnown) logEvent(log, "voice.pace-set", { voiceId, pace });
    else if (!isSame) logEvent(log, "voice.remade", { voiceId, engine: before.engine, pace, pitch });
  };
}
