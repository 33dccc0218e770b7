import { type ClonedSound, type Cloning, cloningEngine, SpeechError } from "@parlance/speech";
import { newId } from "../../lib/ids.ts";
import { ObjectStorageError } from "../../stores/object-storage.ts";
import type { Store } from "../../stores/store.ts";
import { type LogFor, logEvent } from "../../telemetry/log-events.ts";
import { createJobRunner, type JobQueue } from "../cluster/job-runner.ts";
import type { Node } from "../cluster/node.ts";
import { noCloning } from "./no-cloning.ts";
import { createRefining, type RefineParts } from "./refine-voice.ts";
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

/** One voice of each stage at a time on each node. */
export function createRefinementJobs(parts: RefinementJobsParts): RefinementJobs {
  const { store, node, cloning, share, log, now = Date.now } = parts;
  const { remakeQueue, refinementQueue } = store;
  const canRefine = (): boolean => share > 0 && cloning.canRefine();
  // A voice without the version of its encoder is made anew at the next start, so its refinement would be lost.
  const isRefined = ({ encoder }: Pick<ClonedSound, "encoder">): boolean => encoder !== "" && canRefine();
  const remake = createRemaking({ ...parts, nodeId: node.id, isRefined, now });
  const refine = createRefining({ ...parts, nodeId: node.id, now });

  const fail = async (
    queue: Pick<Store["remakeQueue"], "markFailed">,
    voiceId: string,
    err: unknown,
    isCancelled: boolean,
  ): Promise<void> => {
    if (!isCancelled) logEvent(log, "voice.refinement-failed", { err, voiceId });
    await queue.markFailed(voiceId, node.id);
  };
  const faults = {
    onQueueFailed: (err: unknown) => logEvent(log, "refinement-queue.failed", { err }),
    onReleaseFailed: (err: unknown) => logEvent(log, "refinement-queue.release-failed", { err }),
  };

  /** After a fault that every voice would meet, the next one waits for the next heartbeat. Before the runner, which looks then. */
  let isPaused = false;
  node.onHeartbeat(async () => {
    isPaused = false;
    await refinementQueue.requeueOrphans();
    if (share === 0) await refinementQueue.endWaiting(node.id);
  });
  let refining: string | undefined;
  const refinementTurns = inTurns(refinementQueue);
  const refinements = createJobRunner({
    node,
    queue: {
      ...refinementTurns,
      async claim(nodeId) {
        // No job runs now. The end of one may not have been written, because the database was away.
        await refinementQueue.requeueAfterCrash(nodeId);
        return refinementTurns.claim(nodeId);
      },
    },
    isReady: () => canRefine() && !isPaused,
    async run(voiceId, signal) {
      refining = voiceId;
      await refine(voiceId, signal).finally(() => {
        refining = undefined;
      });
    },
    async onFailed(voiceId, err, isCancelled) {
      if (!isCancelled && isTransient(err)) {
        isPaused = true;
        logEvent(log, "voice.refinement-postponed", { err, voiceId });
        await refinementQueue.postpone(voiceId, node.id);
      } else await fail(refinementQueue, voiceId, err, isCancelled);
    },
    ...faults,
  });
  const remakes = createJobRunner({
    node,
    queue: inTurns(remakeQueue),
    isReady: () => cloning.missingModels().length === 0,
    async run(voiceId, signal) {
      await remake(voiceId, signal);
      refinements.wake();
    },
    onFailed: (voiceId, err, isCancelled) => fail(remakeQueue, voiceId, err, isCancelled),
    ...faults,
  });

  /** Another node may have deleted the voice, or wait to make it anew: the work of minutes would be for nothing. */
  async function cancelLost(): Promise<void> {
    const voiceId = refining;
    if (voiceId === undefined || (await refinementQueue.isHeld(voiceId, node.id))) return;
    refinements.cancel(voiceId, "the voice was deleted or is made anew");
  }

  /** Models may be fetched and machines may join after the start. */
  let areEnqueued = false;
  async function enqueueUnrefined(): Promise<void> {
    if (!canRefine()) areEnqueued = false;
    else if (!areEnqueued) await enqueueAll();
  }
  async function enqueueAll(): Promise<void> {
    const voices = await refinementQueue.enqueueUnrefined(cloningEngine.name, await cloning.encoderVersion());
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
      const voices = await remakeQueue.enqueueOutdated(cloningEngine.name, await cloning.encoderVersion());
      if (voices > 0) {
        logEvent(log, "voices.enqueued", { voices });
        remakes.wake();
      }
      // Only now: a voice that makes machines crash would be tried again whenever one has started again.
      if (share > 0) await refinementQueue.retryFailed();
      await enqueueUnrefined();
    },
    wake() {
      remakes.wake();
      refinements.wake();
    },
    isRefined,
    cancel(voiceId) {
      for (const jobs of [remakes, refinements]) jobs.cancel(voiceId, "the voice was deleted");
    },
    async close() {
      await Promise.all([remakes.close(), refinements.close()]);
    },
  };
}

/** A queue as a node works on it: each job is one of the account after that of the job before. */
function inTurns(queue: Store["remakeQueue"] | Store["refinementQueue"]): JobQueue {
  /** Turns start at a random account: a node that often starts again would favour those with the lowest ids. */
  let lastUserId = newId();
  return {
    ...queue,
    async claim(nodeId) {
      const claimed = await queue.claim(nodeId, lastUserId);
      if (claimed !== undefined) lastUserId = claimed.userId;
      return claimed?.voiceId;
    },
  };
}

/** Of the moment, not of the voice. */
function isTransient(error: unknown): boolean {
  return error instanceof ObjectStorageError || (error instanceof SpeechError && error.code !== "failed");
}
