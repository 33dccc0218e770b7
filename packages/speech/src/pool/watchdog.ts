/** How long a worker may be silent. */
export interface WatchdogTimes {
  /** The interval of the checks. */
  readonly intervalMs: number;
  /** No single part takes this long: a busy worker that sends nothing for this time is stuck. */
  readonly silentMs: number;
  /** An idle worker answers at once. One that has not answered after this time never will. */
  readonly unansweredMs: number;
}

const DEFAULT_TIMES: WatchdogTimes = { intervalMs: 5_000, silentMs: 60_000, unansweredMs: 15_000 };

/** What the watchdog knows of a worker. The pool updates `lastMessageAt` and `pingedAt` with each message from it. */
export interface WatchedWorker {
  /** Whether it has work, and so may not answer soon. */
  readonly isBusy: boolean;
  lastMessageAt: number;
  /** When a ping was sent while it was idle; undefined once it has answered. */
  pingedAt: number | undefined;
  ping(): void;
  kill(reason: string): void;
}

export interface Watchdog {
  /** Pings an idle worker. Also called right before it gets work. */
  check(worker: WatchedWorker): void;
  /** Whether it is late with an answer, so that other workers are preferred. */
  isSuspect(worker: WatchedWorker): boolean;
  close(): void;
}

/** An answer takes milliseconds; a worker that takes this long gets work last. */
const SUSPECT_AFTER_MS = 1_000;

/**
 * Ends workers that no longer respond: busy ones that send nothing, and idle ones that do not answer. A process may be
 * stopped, swapped out or caught in a loop without ever exiting.
 */
export function createWatchdog(workers: Iterable<WatchedWorker>, times: Partial<WatchdogTimes> = {}): Watchdog {
  const { intervalMs, silentMs, unansweredMs } = { ...DEFAULT_TIMES, ...times };
  let checkedAt = performance.now();

  function check(worker: WatchedWorker): void {
    if (worker.isBusy || worker.pingedAt !== undefined) return;
    worker.pingedAt = performance.now();
    worker.ping();
  }

  function checkAll(): void {
    const now = performance.now();
    // This process itself may have been stopped for a while; the messages of the workers are then still unread.
    const wasStopped = now - checkedAt > 3 * intervalMs;
    checkedAt = now;
    for (const worker of workers) {
      if (wasStopped) {
        worker.lastMessageAt = now;
        if (worker.pingedAt !== undefined) worker.pingedAt = now;
      } else if (worker.pingedAt !== undefined && now - worker.pingedAt > unansweredMs) {
        worker.kill(`it was idle and did not answer for ${Math.round(unansweredMs / 1000)} s`);
      } else if (worker.isBusy && now - worker.lastMessageAt > silentMs) {
        worker.kill(`it was busy and sent nothing for ${Math.round(silentMs / 1000)} s`);
      } else check(worker);
    }
  }

  const timer = setInterval(checkAll, intervalMs).unref();
  return {
    check,
    isSuspect: ({ pingedAt }) =>
      pingedAt !== undefined && performance.now() - pingedAt > Math.min(SUSPECT_AFTER_MS, unansweredMs),
    close: () => clearInterval(timer),
  };
}
