import { isAtLeast, type StreamNeed } from "./schedulability.ts";

/** A request for a stream that is not accepted yet. */
export interface Candidate<Request> {
  readonly request: Request;
  readonly need: StreamNeed;
  /** On the clock of `performance.now`. */
  readonly deadline: number;
}

/** Requests that wait a short time for capacity. */
export interface CapacityQueue<Request> {
  /**
   * Throws the refusal when there is no capacity by the deadline, the reason of the signal when it aborts, and `full` at once
   * where as many wait as may.
   */
  wait(candidate: Candidate<Request>, signal: AbortSignal): Promise<void>;
}

/** What the streams need at one time. */
export interface CapacityView {
  /** Whether one more fits. If so, it counts for the next one. */
  accepts(need: StreamNeed): boolean;
  refusal(need: StreamNeed): Error;
}

export interface CapacityQueueOptions<Request> {
  readonly view: () => CapacityView;
  /** An error for which waiting does not help. */
  readonly unavailable: (request: Request) => Error | undefined;
  /** The error of one more than may wait. */
  readonly full: () => Error;
}

interface Waiting<Request> extends Candidate<Request> {
  accept(): void;
  refuse(error: Error): void;
}

/** How often waiting requests are decided on. */
const POLL_MS = 30;
/** Requests that may wait. Of more, few would be accepted within the short time, and each is compared with every new request. */
const MAX_WAITING = 500;

/**
 * Decides on all waiting requests together, in the order of their arrival: what hundreds of streams need is computed once for
 * all of them, and not for each.
 */
export function createCapacityQueue<Request>(options: CapacityQueueOptions<Request>): CapacityQueue<Request> {
  const waiting = new Set<Waiting<Request>>();
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled || waiting.size === 0) return;
    isScheduled = true;
    setTimeout(decide, POLL_MS);
  }

  function decide(): void {
    isScheduled = false;
    const view = options.view();
    for (const one of [...waiting]) {
      const unavailable = options.unavailable(one.request);
      if (unavailable) one.refuse(unavailable);
      else if (view.accepts(one.need)) one.accept();
      else if (performance.now() >= one.deadline) one.refuse(view.refusal(one.need));
    }
    schedule();
  }

  function enqueue(candidate: Candidate<Request>, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting.delete(one);
        signal.removeEventListener("abort", onAbort);
      };
      const refuse = (error: unknown): void => {
        leave();
        reject(error);
      };
      const onAbort = (): void => refuse(signal.reason);
      const accept = (): void => {
        leave();
        resolve();
      };
      const one = { ...candidate, accept, refuse };
      waiting.add(one);
      signal.addEventListener("abort", onAbort, { once: true });
      schedule();
    });
  }

  return {
    async wait(candidate, signal) {
      signal.throwIfAborted();
      const unavailable = options.unavailable(candidate.request);
      if (unavailable) throw unavailable;
      if (waiting.size >= MAX_WAITING) throw options.full();
      // One that needs as much as one that waits does not get past it.
      const isBehind = [...waiting].some(({ need }) => isAtLeast(candidate.need, need));
      if (!isBehind && options.view().accepts(candidate.need)) return;
      await enqueue(candidate, signal);
    },
  };
}
