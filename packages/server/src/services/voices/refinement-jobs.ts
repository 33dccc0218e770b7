import { type Cloning, lettersPerSecond, type RefinedVoice } from "@parlance/speech";
import { isoTime } from "../../lib/time.ts";
import type { Store } from "../../stores/store.ts";
import type { VoiceBlob } from "../../stores/voice-blobs.ts";
import { type LogFor, logEvent } from "../../telemetry/log-events.ts";
import { createJobRunner } from "../cluster/job-runner.ts";
import type { Node } from "../cluster/node.ts";
import { toBytes, toNumbers } from "./embedding.ts";
import { toAnalysis } from "./recording-analysis.ts";
import type { VoiceFiles } from "./voice-files.ts";

/** Background work on new cloned voices: transcribes their reference audio and refines their embedding. */
export interface RefinementJobs {
  /** Checks the queue now. */
  wake(): void;
  /** Aborts the job of a deleted voice. */
  cancel(voiceId: string): void;
  close(): Promise<void>;
}

export interface RefinementJobsParts {
  readonly store: Store;
  readonly files: Pick<VoiceFiles, "read">;
  readonly node: Node;
  readonly cloning: Pick<Cloning, "refine" | "missingModels">;
  /** Undefined while no recognizer is installed. */
  readonly transcribe: (recording: Buffer, signal: AbortSignal) => Promise<string | undefined>;
  readonly log: LogFor<
    | "voice.refined"
    | "voice.refinement-failed"
    | "voice.transcription-failed"
    | "refinement-queue.failed"
    | "refinement-queue.release-failed"
  >;
  readonly now?: () => number;
}

/** One voice at a time on each node, with low priority. */
export function createRefinementJobs(parts: RefinementJobsParts): RefinementJobs {
  const { store, files, node, cloning, log, now = Date.now } = parts;

  const transcribe = async (recording: VoiceBlob, signal: AbortSignal): Promise<string | undefined> => {
    const bytes = await files.read(recording, signal);
    return bytes && parts.transcribe(bytes, signal);
  };

  async function transcribeRecordings(voiceId: string, signal: AbortSignal): Promise<readonly VoiceBlob[]> {
    for (const recording of await store.voiceBlobs.list(voiceId, "recording")) {
      if (recording.text !== null) continue;
      signal.throwIfAborted();
      const transcript = await transcribe(recording, signal).catch((err: unknown) => {
        if (!signal.aborted) logEvent(log, "voice.transcription-failed", { err, voiceId });
        return undefined;
      });
      if (transcript !== undefined) await store.voiceBlobs.setText(voiceId, "recording", recording.number, transcript);
    }
    return store.voiceBlobs.list(voiceId, "recording");
  }

  /** False when the voice was deleted or belongs to another node by now. */
  async function save(voiceId: string, refined: RefinedVoice): Promise<boolean> {
    const { embedding, pace, similarity } = refined;
    const progress = { pace: Math.round(pace * 1000), similarity: Math.round(similarity * 1000) };
    return store.transaction(async (records) => {
      if (!(await records.refinementQueue.save(voiceId, node.id, progress, isoTime(now())))) return false;
      await records.voiceBlobs.remove(voiceId, "sample");
      if (typeof embedding === "string") await records.voices.setSpeaker(voiceId, embedding);
      else {
        const bytes = toBytes(embedding);
        await records.voiceBlobs.put(voiceId, "embedding", { number: 0, type: "float32", text: null, bytes });
        await records.voices.setSpeaker(voiceId, "");
      }
      return true;
    });
  }

  async function refine(voiceId: string, signal: AbortSignal): Promise<void> {
    const texts = await transcribeRecordings(voiceId, signal);
    const recordings = (await store.voiceBlobs.list(voiceId, "heard")).map(toAnalysis);
    const first = await store.voiceBlobs.find(voiceId, "embedding");
    // Deleted in the meantime.
    if (first === undefined || recordings.length === 0) return;
    const embedding = toNumbers(first.bytes);
    const rate = lettersPerSecond(texts.map(({ text }, index) => ({ text, seconds: recordings[index]?.weight ?? 0 })));
    const startedAt = performance.now();
    const refined = await cloning.refine({ recordings, embedding, lettersPerSecond: rate }, signal);
    if (!(await save(voiceId, refined))) return;
    const { similarity, initialSimilarity } = refined;
    logEvent(log, "voice.refined", {
      voiceId,
      similarity,
      initialSimilarity,
      ms: Math.round(performance.now() - startedAt),
    });
  }

  const jobs = createJobRunner({
    node,
    queue: store.refinementQueue,
    isReady: () => cloning.missingModels().length === 0,
    run: refine,
    async onFailed(voiceId, err, isCancelled) {
      if (!isCancelled) logEvent(log, "voice.refinement-failed", { err, voiceId });
      await store.refinementQueue.markFailed(voiceId, node.id);
    },
    onQueueFailed: (err) => logEvent(log, "refinement-queue.failed", { err }),
    onReleaseFailed: (err) => logEvent(log, "refinement-queue.release-failed", { err }),
  });
  return { ...jobs, cancel: (voiceId) => jobs.cancel(voiceId, "the voice was deleted") };
}
