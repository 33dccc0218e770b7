import { isoTime } from "../../lib/time.ts";
import type { ObjectStorage } from "../../stores/object-storage.ts";
import type { Store } from "../../stores/store.ts";
import { type LogFor, logEvent } from "../../telemetry/log-events.ts";

/** Deletes objects that no voice refers to. */
export interface ObjectSweep {
  /** Warns when there are objects, but no storage is set. */
  start(): Promise<void>;
  /** Starts a sweep in the background, unless one is running. */
  wake(): void;
  /** Resolves when every released object is deleted. Throws when one cannot be deleted now. */
  run(): Promise<void>;
  close(): Promise<void>;
}

export interface ObjectSweepParts {
  readonly store: Pick<Store, "voiceObjects">;
  readonly objects: ObjectStorage | undefined;
  readonly log: LogFor<"voice-file.delete-failed" | "object-storage.unset">;
  readonly now?: () => number;
}

/** No upload takes this long. */
const ABANDONED_MS = 60 * 60_000;
/** Reads every row, and finds only what older programs have left. */
const FULL_EVERY_MS = 60 * 60_000;
const AT_A_TIME = 100;
const MAX_FAILURES = 3;

export function createObjectSweep({ store, objects, log, now = Date.now }: ObjectSweepParts): ObjectSweep {
  const closing = new AbortController();
  let running: Promise<void> | undefined;
  let again = false;
  let fullAt = Number.NEGATIVE_INFINITY;
  let isFailing = false;

  async function run(): Promise<void> {
    if (objects === undefined) return;
    await store.voiceObjects.releaseAbandoned(isoTime(now() - ABANDONED_MS));
    if (performance.now() - fullAt > FULL_EVERY_MS) {
      await store.voiceObjects.releaseUnused();
      fullAt = performance.now();
    }
    for (;;) {
      const keys = await store.voiceObjects.listReleased(AT_A_TIME);
      await removeAll(objects, keys);
      if (keys.length < AT_A_TIME) return;
    }
  }

  /** An object that cannot be deleted does not keep others from it, but a storage that does not answer ends the sweep. */
  async function removeAll(storage: ObjectStorage, keys: readonly string[]): Promise<void> {
    const failures: unknown[] = [];
    for (const key of keys) {
      try {
        await storage.remove(key, closing.signal);
        await store.voiceObjects.remove(key);
      } catch (error) {
        failures.push(error);
        if (failures.length >= MAX_FAILURES) break;
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  async function work(): Promise<void> {
    do {
      again = false;
      try {
        await run();
        isFailing = false;
      } catch (err) {
        // Once for each outage: the next heartbeat tries again.
        if (!closing.signal.aborted && !isFailing) logEvent(log, "voice-file.delete-failed", { err });
        isFailing = true;
        return;
      }
    } while (again && !closing.signal.aborted);
  }

  return {
    async start() {
      if (objects === undefined && (await store.voiceObjects.count()) > 0) logEvent(log, "object-storage.unset");
    },
    run,
    wake() {
      again = true;
      if (objects === undefined || closing.signal.aborted) return;
      running ??= work().finally(() => {
        running = undefined;
      });
    },
    async close() {
      closing.abort(new Error("the server is shutting down"));
      await running;
    },
  };
}
