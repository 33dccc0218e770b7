/** How long a worker may be silent. */
export interface WatchTimes {
  /** How often the watchdog looks. */
  readonly everyMs: number;
  /** No single part takes this long: a worker that is at work and silent so long is stuck. */
  readonly silentMs: number;
  /** A worker with nothing to do answers at once. One that takes this long will never answer. */
  readonly unansweredMs: number;
}

const USUAL: WatchTimes = { everyMs: 5_000, silentMs: 60_000, unansweredMs: 15_000 };

/** What the watchdog has to know of a worker. Others write `lastHeard` and `pingedAt` too, when they hear of it. */
export interface Watched {
  /** Whether it has something to do, and so cannot be expected to answer soon. */
  readonly isBusy: boolean;
  lastHeard: number;
  /** When a ping was sent while it had nothing to do; undefined once it was heard. */
  pingedAt: number | undefined;
  ping(): void;
  kill(reason: string): void;
}

export interface Watchdog {
  /** Asks a worker that is at rest whether it is there. For right before it is given something to do, too. */
  ask(worker: Watched): void;
  /** Whether it is better not to rely on it as long as there are others. */
  isDoubtful(worker: Watched): boolean;
  close(): void;
}

/** An answer takes milliseconds; who takes this long is given work last. */
const DOUBTFUL_AFTER_MS = 1_000;

/**
 * Ends workers that are dead to the world: those that work and give nothing, and those at rest that do not answer. A
 * process may be stopped, swapped out for good or caught in a loop without ever ending by itself.
 */
export function createWatchdog(workers: Iterable<Watched>, times: Partial<WatchTimes> = {}): Watchdog {
  const { everyMs, silentMs, unansweredMs } = { ...USUAL, ...times };
  let looked = performance.now();

  function ask(worker: Watched): void {
    if (worker.isBusy || worker.pingedAt !== undefined) return;
    worker.pingedAt = performance.now();
    worker.ping();
  }

  function look(): void {
    const now = performance.now();
    // This process itself may have been stopped for a while, and what the workers have said meanwhile is still unread.
    const wasAway = now - looked > 3 * everyMs;
    looked = now;
    for (const worker of workers) {
      if (wasAway) {
        worker.lastHeard = now;
        if (worker.pingedAt !== undefined) worker.pingedAt = now;
      } else if (worker.pingedAt !== undefined && now - worker.pingedAt > unansweredMs) {
        worker.kill(`it was at rest and did not answer for ${Math.round(unansweredMs / 1000)} s`);
      } else if (worker.isBusy && now - worker.lastHeard > silentMs) {
        worker.kill(`it was at work and gave nothing for ${Math.round(silentMs / 1000)} s`);
      } else ask(worker);
    }
  }

  const timer = setInterval(look, everyMs).unref();
  return {
    ask,
    isDoubtful: ({ pingedAt }) =>
      pingedAt !== undefined && performance.now() - pingedAt > Math.min(DOUBTFUL_AFTER_MS, unansweredMs),
    close: () => clearInterval(timer),
  };
}
