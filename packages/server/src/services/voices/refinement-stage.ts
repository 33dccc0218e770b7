import { newId } from "../../lib/ids.ts";
import type { Store } from "../../stores/store.ts";
import { type LogFor, logEvent } from "../../telemetry/log-events.ts";
import { createJobRunner, type JobRunner } from "../cluster/job-runner.ts";
import type { Node } from "../cluster/node.ts";
import { isPassingFault } from "./passing-fault.ts";

export interface RefinementStageParts {
  readonly node: Node;
  readonly queue: Store["remakeQueue"] | Store["refinementQueue"];
  readonly isReady: () => boolean;
  /** Only voices that this version of the voice encoder has made. */
  readonly encoder?: () => string | undefined;
  readonly run: (voiceId: string, signal: AbortSignal) => Promise<void>;
  readonly log: LogFor<
    | "voice.refinement-failed"
    | "voice.refinement-postponed"
    | "refinement-queue.failed"
    | "refinement-queue.release-failed"
  >;
}

/** One of the two stages of the background work on voices: one voice at a time on each node, and accounts take turns. */
export function createRefinementStage({ node, queue, isReady, encoder, run, log }: RefinementStageParts): JobRunner {
  /** After a fault that every voice would meet, the next one waits for the next heartbeat. Before the runner, which looks then. */
  let isPaused = false;
  node.onHeartbeat(async () => {
    isPaused = false;
  });
  /** Turns start at a random account: a node that often starts again would favour those with the lowest ids. */
  let lastUserId = newId();
  return createJobRunner({
    node,
    queue: {
      ...queue,
      async claim(nodeId) {
        // No job runs now. The end of one may not have been written, because the database was away.
        await queue.requeueAfterCrash(nodeId);
        const claimed = await queue.claim(nodeId, lastUserId, encoder?.());
        if (claimed !== undefined) lastUserId = claimed.userId;
        return claimed?.voiceId;
      },
    },
    isReady: () => isReady() && !isPaused,
    run,
    async onFailed(voiceId, err, isCancelled) {
      if (!isCancelled && isPassingFault(err)) {
        isPaused = true;
        logEvent(log, "voice.refinement-postponed", { err, voiceId });
        await queue.postpone(voiceId, node.id);
        return;
      }
      if (!isCancelled) logEvent(log, "voice.refinement-failed", { err, voiceId });
      await queue.markFailed(voiceId, node.id);
    },
    onQueueFailed: (err) => logEvent(log, "refinement-queue.failed", { err }),
    onReleaseFailed: (err) => logEvent(log, "refinement-queue.release-failed", { err }),
  });
}
