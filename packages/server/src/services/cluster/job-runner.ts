import type { Node } from "./node.ts";

/** Jobs in the database. A job is a row, so another node or the next start continues it. */
export interface JobQueue {
  /** Assigns the next waiting job to this node. Undefined when there is none. */
  claim(node: string): Promise<string | undefined>;
  requeueAfterCrash(node: string): Promise<void>;
  requeueAfterStop(node: string): Promise<void>;
}

export interface JobRunner {
  /** Checks the queue now. */
  wake(): void;
  /** Aborts a job that this node is running. */
  cancel(id: string, reason: string): void;
  close(): Promise<void>;
}

export interface JobRunnerParts {
  readonly node: Node;
  readonly queue: JobQueue;
  /** While it is false, jobs wait. */
  readonly isReady?: () => boolean;
  readonly run: (id: string, signal: AbortSignal) => Promise<void>;
  /** The job has failed, or was cancelled. Not called for a job that ends with the server: it waits again. */
  readonly onFailed: (id: string, err: unknown, isCancelled: boolean) => Promise<void>;
  readonly onQueueFailed: (err: unknown) => void;
  readonly onReleaseFailed: (err: unknown) => void;
}

/** Runs the jobs of a queue, one at a time on each node. */
export function createJobRunner(parts: JobRunnerParts): JobRunner {
  const { node, queue, isReady = () => true } = parts;
  const closing = new AbortController();
  let current: { readonly id: string; readonly controller: AbortController } | undefined;
  let working: Promise<void> | undefined;
  let again = false;

  /** False when the queue was empty. */
  async function runNext(): Promise<boolean> {
    if (!isReady()) return false;
    const id = await queue.claim(node.id);
    if (id === undefined) return false;
    const controller = new AbortController();
    // A job follows its own signal only: AbortSignal.any would leave an entry in the other one for each job.
    const onClosing = (): void => controller.abort(closing.signal.reason);
    closing.signal.addEventListener("abort", onClosing);
    if (closing.signal.aborted) onClosing();
    current = { id, controller };
    try {
      await parts.run(id, controller.signal);
    } catch (err) {
      if (closing.signal.aborted) return false;
      await parts.onFailed(id, err, controller.signal.aborted);
    } finally {
      closing.signal.removeEventListener("abort", onClosing);
      current = undefined;
    }
    return true;
  }

  async function work(): Promise<void> {
    do {
      again = false;
      while (!closing.signal.aborted && (await runNext()));
    } while (again && !closing.signal.aborted);
  }

  function wake(): void {
    again = true;
    if (closing.signal.aborted) return;
    working ??= work()
      .catch(parts.onQueueFailed)
      .finally(() => {
        working = undefined;
      });
  }

  node.onNodeExpired((nodeId) => queue.requeueAfterCrash(nodeId));
  node.onHeartbeat(async () => wake());
  return {
    wake,
    cancel(id, reason) {
      if (current?.id === id) current.controller.abort(new Error(reason));
    },
    async close() {
      closing.abort(new Error("the server is shutting down"));
      await working;
      // If the database is away, another node takes the job over as from an expired node.
      await queue.requeueAfterStop(node.id).catch(parts.onReleaseFailed);
    },
  };
}
