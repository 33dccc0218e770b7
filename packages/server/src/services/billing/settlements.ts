import { type LogFor, logEvent } from "../../telemetry/log-events.ts";
import type { Reservations, WriteResult } from "./reservations.ts";

/** The final charge of a reservation. */
export interface Settlement {
  readonly userId: string;
  readonly requestId: string;
  readonly used: number;
  readonly writeResult?: WriteResult | undefined;
}

/** Writes settlements, and retries those that fail. */
export interface SettlementQueue {
  /** Whether it was written in time. If not, it is retried in the background. Never throws. */
  settle(settlement: Settlement): Promise<boolean>;
  /** Writes it in the background. */
  enqueue(settlement: Settlement): void;
  /** Tries once more to write what waits. The rest is settled like the reservations of an expired node. */
  flush(): Promise<void>;
}

export interface SettlementQueueOptions {
  readonly retryMs?: number;
  /** How long `settle` waits for a database that is away. */
  readonly timeoutMs?: number;
}

/** Reached only when the database is away for long. What is dropped is settled like the reservations of an expired node. */
const MAX_WAITING = 10_000;

export function createSettlementQueue(
  reservations: Pick<Reservations, "close">,
  log: LogFor<"settlement.delayed">,
  { retryMs = 250, timeoutMs = 10_000 }: SettlementQueueOptions = {},
): SettlementQueue {
  const waiting = new Map<string, { readonly settlement: Settlement; readonly done: () => void }>();
  const running = new Set<Promise<unknown>>();
  let timer: NodeJS.Timeout | undefined;

  const attempt = async ({ userId, requestId, used, writeResult }: Settlement): Promise<boolean> => {
    try {
      await reservations.close(userId, requestId, used, writeResult);
      waiting.get(requestId)?.done();
      waiting.delete(requestId);
      return true;
    } catch (err) {
      logEvent(log, "settlement.delayed", { err, requestId });
      return false;
    }
  };
  const retry = async (): Promise<void> => {
    for (const [requestId, entry] of [...waiting]) {
      if (await attempt(entry.settlement)) continue;
      // The others would most likely fail too. In case only this one does, it goes to the end of the queue.
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
  const wait = (settlement: Settlement, done: () => void): void => {
    if (waiting.size < MAX_WAITING) waiting.set(settlement.requestId, { settlement, done });
    schedule();
  };
  const tracked = <Result>(work: Promise<Result>): Promise<Result> => {
    running.add(work);
    return work.finally(() => running.delete(work));
  };
  return {
    async settle(settlement) {
      if (await tracked(attempt(settlement))) return true;
      return new Promise((resolve) => {
        const timeout = setTimeout(() => resolve(false), timeoutMs);
        wait(settlement, () => {
          clearTimeout(timeout);
          resolve(true);
        });
      });
    },
    enqueue: (settlement) => wait(settlement, () => {}),
    async flush() {
      await Promise.all(running);
      clearTimeout(timer);
      await retry();
      clearTimeout(timer);
    },
  };
}
