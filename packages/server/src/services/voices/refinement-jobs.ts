import { type ClonedSound, type Cloning, cloningEngine } from "@parlance/speech";
import { isoTime } from "../../lib/time.ts";
import type { Store } from "../../stores/store.ts";
import type { VoiceBlob } from "../../stores/voice-blobs.ts";
import { type LogFor, logEvent } from "../../telemetry/log-events.ts";
import { createJobRunner } from "../cluster/job-runner.ts";
import type { Node } from "../cluster/node.ts";
import { clonedLanguages, embeddingBlob, soundOf } from "./cloned-sound.ts";
import type { createNetworkVectors, NetworkVectors } from "./network-vectors.ts";
import { noCloning } from "./no-cloning.ts";
import { networkVectorBlob, toAnalysis } from "./recording-analysis.ts";
import type { VoiceFiles } from "./voice-files.ts";

/**
 * Background work on cloned voices. Reference audio without a text is transcribed, for the pace of the speaker. Voices that
 * were cloned for another engine, or by another version of the voice encoder, are made anew from the analysis of their
 * recordings, which are analyzed again where it lacks something; until then, and where that fails, they stay as they are.
 */
export interface RefinementJobs {
  /** Enqueues the voices that are to be made anew. */
  start(): Promise<void>;
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
  readonly cloning: Pick<Cloning, "remake" | "missingModels" | "encoderVersion">;
  /** Undefined while no recognizer is installed. */
  readonly transcribe: (recording: Buffer, signal: AbortSignal) => Promise<string | undefined>;
  readonly networkVectors: ReturnType<typeof createNetworkVectors>;
  readonly log: LogFor<
    | "voice.refined"
    | "voice.remade"
    | "voices.enqueued"
    | "voice.refinement-failed"
    | "voice.transcription-failed"
    | "refinement-queue.failed"
    | "refinement-queue.release-failed"
  >;
  readonly now?: () => number;
}

/** One voice at a time on each node. */
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
  async function save(voiceId: string, voice: ClonedSound, { measured }: NetworkVectors): Promise<boolean> {
    return store.transaction(async (records) => {
      if (!(await records.remakeQueue.save(voiceId, node.id, soundOf(voice), isoTime(now())))) return false;
      for (const kind of ["sample", "decoder-offsets"] as const) await records.voiceBlobs.remove(voiceId, kind);
      await records.voiceBlobs.put(voiceId, "embedding", embeddingBlob(voice));
      for (const [number, vector] of measured)
        await records.voiceBlobs.put(voiceId, "network-vector", { number, ...networkVectorBlob(vector) });
      await records.voices.setLanguages(voiceId, clonedLanguages);
      return true;
    });
  }

  async function refine(voiceId: string, signal: AbortSignal): Promise<void> {
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
    if (!(await save(voiceId, voice, vectors))) return;
    const { pace, pitch } = voice;
    const isSame = before.engine === cloningEngine.name && encoder === voice.encoder;
    if (isSame) logEvent(log, "voice.refined", { voiceId, pace });
    else logEvent(log, "voice.remade", { voiceId, engine: before.engine, pace, pitch });
  }

  const jobs = createJobRunner({
    node,
    queue: store.remakeQueue,
    isReady: () => cloning.missingModels().length === 0,
    run: refine,
    async onFailed(voiceId, err, isCancelled) {
      if (!isCancelled) logEvent(log, "voice.refinement-failed", { err, voiceId });
      await store.remakeQueue.markFailed(voiceId, node.id);
    },
    onQueueFailed: (err) => logEvent(log, "refinement-queue.failed", { err }),
    onReleaseFailed: (err) => logEvent(log, "refinement-queue.release-failed", { err }),
  });
  return {
    ...jobs,
    async start() {
      if (cloning === noCloning) return;
      const encoder = await cloning.encoderVersion();
      const voices = await store.remakeQueue.enqueueOutdated(cloningEngine.name, encoder);
      if (voices === 0) return;
      logEvent(log, "voices.enqueued", { voices });
      jobs.wake();
    },
    cancel: (voiceId) => jobs.cancel(voiceId, "the voice was deleted"),
  };
}
