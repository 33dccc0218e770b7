import type { Log } from "../../telemetry/log.ts";
import type { Reservations } from "./reservations.ts";

/** How a reservation ends. */
export interface Closing {
  readonly userId: string;
  readonly requestId: string;
  readonly used: number;
}

export interface Closings {
  /** Whether it is in the books. If not, it could not be written in good time, and is tried on. Never throws. */
  close(closing: Closing): Promise<boolean>;
  /** Without anybody waiting for it. */
  later(closing: Closing): void;
  /** Tries what waits once more. What is left then is closed by whoever finds it. */
  finish(): Promise<void>;
}

export interface ClosingOptions {
  readonly retryMs?: number;
  /** How long somebody waits for a database that is away. */
  readonly patienceMs?: number;
}

/** More than that waits only when the database has been gone for long; what is dropped is closed as of a dead node. */
const MAX_PENDING_SIZE = 10_000;

/** A database that is away for a moment must lose no settlement: closing is repeated until it was done. */
export function createClosings(
  reservations: Pick<Reservations, "close">,
  log: Pick<Log, "warn">,
  { retryMs = 250, patienceMs = 10_000 }: ClosingOptions = {},
): Closings {
  const waiting = new Map<string, { readonly closing: Closing; readonly done: () => void }>();
  const running = new Set<Promise<unknown>>();
  let timer: NodeJS.Timeout | undefined;

  const attempt = async ({ userId, requestId, used }: Closing): Promise<boolean> => {
    try {
      await reservations.close(userId, requestId, used);
      waiting.get(requestId)?.done();
      waiting.delete(requestId);
      return true;
    } catch (err) {
      log.warn({ err, requestId }, "a charge was not closed, it is tried again");
      return false;
    }
  };
  const retry = async (): Promise<void> => {
    for (const [requestId, entry] of [...waiting]) {
      if (await attempt(entry.closing)) continue;
      // As a rule all others would fail as well. If it is just this one, they go first the next time.
      waiting.delete(requestId);
      waiting.set(requestId, entry);
      break;
    }
    timer = undefined;
    schedule();
  };
  function schedule(): void {
    if (waiting.size > 0) timer ??= setTimeout(() => void tracked(retry()), retryMs).unref();
  }
  const wait = (closing: Closing, done: () => void): void => {
    if (waiting.size < MAX_PENDING_SIZE) waiting.set(closing.requestId, { closing, done });
    schedule();
  };
  const tracked = <Result>(work: Promise<Result>): Promise<Result> => {
    running.add(work);
    return work.finally(() => running.delete(work));
  };
  return {
    async close(closing) {
      if (await tracked(attempt(closing))) return true;
      return new Promise((resolve) => {
        const impatient = setTimeout(() => resolve(false), patienceMs);
        wait(closing, () => {
          clearTimeout(impatient);
          resolve(true);
        });
      });
    },
    later: (closing) => wait(closing, () => {}),
    async finish() {
      await Promise.all(running);
      clearTimeout(timer);
      await retry();
      clearTimeout(timer);
    },
  };
}
