import type { ObjectStorage } from "../../stores/object-storage.ts";
import type { CheckReport } from "./check-report.ts";
import { createPeriodicCheck, type PeriodicCheckOptions } from "./periodic-check.ts";

/** Whether the object storage can be written. */
export interface StorageCheck {
  start(): void;
  report(): CheckReport;
  close(): void;
}

const TICK_MS = 1_000;
const RETRY_MS = 5_000;
const TIMEOUT_MS = 20_000;

export function createStorageCheck(
  objects: Pick<ObjectStorage, "ping">,
  { everyMs, log }: { readonly everyMs: number; readonly log: PeriodicCheckOptions["log"] },
): StorageCheck {
  const check = createPeriodicCheck({
    name: "object_storage",
    probe: objects.ping,
    everyMs: () => everyMs,
    retryMs: RETRY_MS,
    timeoutMs: TIMEOUT_MS,
    log,
  });
  let timer: NodeJS.Timeout | undefined;
  return {
    start() {
      check.probeIfDue();
      timer = setInterval(check.probeIfDue, TICK_MS).unref();
    },
    // Voices speak without it, so the service stays ready.
    report: () => check.check.report(false),
    close() {
      clearInterval(timer);
      check.close();
    },
  };
}
