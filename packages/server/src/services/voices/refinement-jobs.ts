import { type ClonedSound, type Cloning, cloningEngine } from "@parlance/speech";
import type { Store } from "../../stores/store.ts";
import { type LogFor, logEvent } from "../../telemetry/log-events.ts";
import type { Node } from "../cluster/node.ts";
import { noCloning } from "./no-cloning.ts";
import { createRefining, type RefineParts } from "./refine-voice.ts";
import { createRefinementStage } from "./refinement-stage.ts";
import { createRemaking, type RemakeParts } from "./remake-voice.ts";

/**
 * Background work on cloned voices, in two stages with a queue each, so that a voice is not kept waiting for its pace while
 * another one is refined for minutes. First, voices whose reference audio has no text, and those that were cloned for another
 * engine or by another version of the voice encoder, are made anew. Then they are refined by gradient. Until then, and where
 * that fails, they stay as they are.
 */
export interface RefinementJobs {
  /** Enqueues the voices that are to be made anew or were not refined yet. */
  start(): Promise<void>;
  /** Checks the queues now. */
  wake(): void;
  /** Whether this voice is to be refined once it was made. */
  isRefined(voice: Pick<ClonedSound, "encoder">): boolean;
  /** Aborts the job of a deleted voice. */
  cancel(voiceId: string): void;
  close(): Promise<void>;
}

export interface RefinementJobsParts
  extends Pick<RemakeParts, "transcribe" | "networkVectors">,
    Pick<RefineParts, "files" | "uploads" | "share"> {
  readonly store: Store;
  readonly node: Node;
  readonly cloning: Pick<Cloning, "remake" | "missingModels" | "encoderVersion" | "canRefine" | "refine">;
  /** Whether a recognizer is ready. */
  readonly canTranscribe: () => boolean;
  readonly log: LogFor<
    | "voice.pace-set"
    | "voice.refined"
    | "voice.remade"
    | "voices.enqueued"
    | "voices.refinement-enqueued"
    | "voice.refinement-failed"
    | "voice.refinement-postponed"
    | "voice.transcription-failed"
    | "refinement-queue.failed"
    | "refinement-queue.release-failed"
  >;
  readonly now?: () => number;
}

/** How long the first stage waits after the start where no recognizer is ready: models are being fetched, or machines join. */
const RECOGNIZER_MS = 15 * 60_000;
/** A new voice is stored within this time after it was decided what is done with it. */
const STORED_MS = 60_000;

/** One voice of each stage at a time on each node. */
export function createRefinementJobs(parts: RefinementJobsParts): RefinementJobs {
  const { store, node, cloning, share, canTranscribe, log, now = Date.now } = parts;
  const { remakeQueue, refinementQueue } = store;
  const canRefine = (): boolean => share > 0 && cloning.canRefine();
  const remake = createRemaking({ ...parts, nodeId: node.id, isRefined, now });
  const refine = createRefining({ ...parts, nodeId: node.id, now });

  node.onHeartbeat(async () => {
    await refinementQueue.requeueOrphans();
    if (share === 0) await refinementQueue.endWaiting(node.id);
  });
  /** That of the voice encoder when the server started: an upgrade replaces files under a running server. */
  let version: string | undefined;
  let refining: string | undefined;
  const refinements = createRefinementStage({
    ...{ node, log, queue: refinementQueue },
    isReady: () => version !== undefined && canRefine(),
    // Those of another version are made anew by the next start, at the latest when an upgrade ends.
    encoder: () => version,
    async run(voiceId, signal) {
      refining = voiceId;
      await refine(voiceId, signal).finally(() => {
        refining = undefined;
      });
    },
  });
  const startedAt = now();
  const remakes = createRefinementStage({
    ...{ node, log, queue: remakeQueue },
    isReady: () => cloning.missingModels().length === 0 && (canTranscribe() || now() - startedAt > RECOGNIZER_MS),
    async run(voiceId, signal) {
      await remake(voiceId, signal);
      refinements.wake();
    },
  });

  /** Another node may have deleted the voice, or wait to make it anew: the work of minutes would be for nothing. */
  async function cancelLost(): Promise<void> {
    const voiceId = refining;
    if (voiceId === undefined || (await refinementQueue.isHeld(voiceId, node.id))) return;
    refinements.cancel(voiceId, "the voice was deleted or is made anew");
  }

  /** Until then, voices may be stored that do not wait for their refinement, because it was not possible for a moment. */
  let mayMissUntil = 0;
  function isRefined({ encoder }: Pick<ClonedSound, "encoder">): boolean {
    // Another version is that of a machine which is to be upgraded. The next start makes such a voice anew.
    if (encoder !== version) return false;
    if (!canRefine()) mayMissUntil = now() + STORED_MS;
    return canRefine();
  }

  /** Models may be fetched and machines may join after the start. */
  let areEnqueued = false;
  async function enqueueUnrefined(): Promise<void> {
    if (!canRefine()) areEnqueued = false;
    else if (!areEnqueued || now() < mayMissUntil) await enqueueAll();
  }
  async function enqueueAll(): Promise<void> {
    if (version === undefined) return;
    const voices = await refinementQueue.enqueueUnrefined(cloningEngine.name, version);
    areEnqueued = true;
    if (voices === 0) return;
    logEvent(log, "voices.refinement-enqueued", { voices });
    refinements.wake();
  }

  node.onHeartbeat(cancelLost);
  node.onHeartbeat(enqueueUnrefined);
  return {
    async start() {
      if (cloning === noCloning) return;
      version = await cloning.encoderVersion();
      const voices = await remakeQueue.enqueueOutdated(cloningEngine.name, version);
      if (voices > 0) logEvent(log, "voices.enqueued", { voices });
      // Only now: a voice that makes machines crash would be tried again whenever one has started again.
      await remakeQueue.retryFailed();
      if (share > 0) await refinementQueue.retryFailed();
      remakes.wake();
      await enqueueUnrefined();
    },
    wake() {
      remakes.wake();
      refinements.wake();
    },
    isRefined,
    cancel(voiceId) {
      for (const stage of [remakes, refinements]) stage.cancel(voiceId, "the voice was deleted");
    },
    async close() {
      await Promise.all([remakes.close(), refinements.close()]);
    },
  };
}
