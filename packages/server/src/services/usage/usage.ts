import { setImmediate as nextTurn } from "node:timers/promises";
import { dayOf, type Operation } from "@parlance/protocol";
import type { Store } from "../../stores/store.ts";
import type { UsageRecord } from "../../stores/usage.ts";
import { packHistogram, stepOf } from "../../stores/usage-histogram.ts";
import { addToSum, newSum, type UsageSum } from "./usage-sum.ts";

/** A finished request, as it is logged. */
export interface UsedRequest {
  readonly userId?: string | undefined;
  readonly keyId?: string | undefined;
  readonly operation?: Operation | undefined;
  readonly status: number;
  /** It failed because of a fault of the service after the response had started. */
  readonly failed?: boolean | undefined;
  readonly characters?: number | undefined;
  readonly audioSeconds?: number | undefined;
  readonly credits?: number | undefined;
  readonly firstAudioMs?: number | undefined;
}

/**
 * Counts requests by user, key, day and operation. Counts are kept in memory for about a second and written together, so
 * a killed process loses the last second of them. Charges do not depend on them.
 */
export interface Usage {
  /** Unauthenticated requests and requests without inference are not counted. */
  record(request: UsedRequest): void;
  /** Writes the counts. Throws when that fails; they are kept for the next attempt. */
  flush(): Promise<void>;
  /** Writes for the last time. */
  close(): Promise<void>;
}

export interface UsageOptions {
  readonly flushMs?: number;
  readonly now?: () => number;
  readonly onFault?: (error: unknown) => void;
}

interface Counted extends UsageSum {
  readonly key: Pick<UsageRecord, "userId" | "keyId" | "day" | "operation">;
}

const FLUSH_MS = 1_000;
/** Rows that wait to be written while the database is away. Beyond that, requests of new rows are not counted. */
const MAX_ROWS = 10_000;
/** As in nginx: the client disconnected before the response. Not counted as an error. */
const CLIENT_GONE = 499;

export function createUsage(
  store: Pick<Store, "transaction">,
  { flushMs = FLUSH_MS, now = Date.now, onFault = () => {} }: UsageOptions = {},
): Usage {
  let counted = new Map<string, Counted>();
  let writing: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const rowOf = (userId: string, keyId: string, operation: string): Counted | undefined => {
    const day = dayOf(now());
    const name = [userId, keyId, day, operation].join(" ");
    const known = counted.get(name);
    if (known !== undefined || counted.size >= MAX_ROWS) return known;
    const fresh = { key: { userId, keyId, day, operation }, ...newSum() };
    counted.set(name, fresh);
    return fresh;
  };
  const write = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    if (counted.size === 0) return;
    const batch = counted;
    counted = new Map();
    try {
      await store.transaction((records) => records.usage.add([...batch.values()].map(toRecord)));
    } catch (error) {
      putBack(batch);
      throw error;
    }
  };
  const putBack = (batch: ReadonlyMap<string, Counted>): void => {
    for (const [name, row] of batch) {
      const newer = counted.get(name);
      if (newer !== undefined) addToSum(newer, row, row.firstAudio);
      else if (counted.size < MAX_ROWS) counted.set(name, row);
    }
    schedule();
  };
  // One after the other: a batch that is put back must not be overtaken by a later one.
  const flush = (): Promise<void> => {
    const written = writing.then(write);
    writing = written.catch(() => {});
    return written;
  };
  const schedule = (): void => {
    if (closed) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      flush().catch(onFault);
    }, flushMs).unref();
  };

  return {
    record({ userId, keyId = "", operation, ...request }) {
      if (userId === undefined || operation === undefined || closed) return;
      const row = rowOf(userId, keyId, operation);
      if (row === undefined) return;
      const { status, failed = false, characters = 0, audioSeconds = 0, credits = 0, firstAudioMs } = request;
      const isFault = failed || status >= 500;
      const counts = {
        requests: 1,
        characters,
        audioMs: Math.round(audioSeconds * 1000),
        credits,
        refused: !isFault && status >= 400 && status !== CLIENT_GONE ? 1 : 0,
        failed: isFault ? 1 : 0,
      };
      addToSum(row, counts, new Map(firstAudioMs === undefined ? [] : [[stepOf(firstAudioMs), 1]]));
      schedule();
    },
    flush,
    async close() {
      // Requests that have just ended are recorded in the next turn of the event loop.
      await nextTurn();
      closed = true;
      await flush().catch(onFault);
    },
  };
}

function toRecord({ key, firstAudio, ...counts }: Counted): UsageRecord {
  return { ...key, ...counts, firstAudio: packHistogram(firstAudio) };
}
