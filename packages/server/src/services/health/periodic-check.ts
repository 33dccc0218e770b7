import { SpeechError } from "@parlance/speech";
import { orAborted } from "../../lib/time-limit.ts";
import { type LogFor, logEvent } from "../../telemetry/log-events.ts";
import { type Check, createCheck } from "./check-report.ts";

export interface PeriodicCheckOptions {
  readonly name: string;
  /** Does a little of the real work. The check fails when it rejects or exceeds the timeout. */
  readonly probe: (signal: AbortSignal) => Promise<void>;
  /** How long a success is valid before the next probe. 0: forever. */
  readonly everyMs: () => number;
  /** The delay of the next probe after a failure. */
  readonly retryMs: number;
  readonly timeoutMs: number;
  readonly log: LogFor<"health-check.failed" | "health-check.recovered">;
}

/** Probes whether a part works, unless requests have used it successfully since the last probe. */
export interface PeriodicCheck {
  readonly check: Pick<Check, "state" | "report">;
  /** A request used the part successfully. */
  markPassed(): void;
  /** A request that used the part failed: probe again soon. */
  recheckSoon(): void;
  /** Starts a probe when one is due. To be called by a timer. */
  probeIfDue(): void;
  close(): void;
}

export function createPeriodicCheck(options: PeriodicCheckOptions): PeriodicCheck {
  const { name, probe, everyMs, retryMs, timeoutMs, log } = options;
  const check = createCheck(name);
  let running: AbortController | undefined;
  let passedAt = Number.NEGATIVE_INFINITY;
  let probedAt = Number.NEGATIVE_INFINITY;
  let recheck = false;
  let closed = false;

  function markPassed(): void {
    passedAt = performance.now();
    recheck = false;
    const before = check.state;
    if (check.set("ok") && before === "failing") logEvent(log, "health-check.recovered", { check: name });
  }

  async function runProbe(): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    const startedAt = performance.now();
    running = controller;
    probedAt = startedAt;
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      controller.abort(new Error(`no result within ${timeoutMs} ms`));
    }, timeoutMs);
    try {
      await orAborted(probe(signal), signal);
      if (!closed) markPassed();
    } catch (err) {
      // Requests may have used the part successfully while the probe only waited in the queue.
      if (closed || (late && passedAt > startedAt)) return;
      // An overloaded service is not broken: the state stays as it is, and the next probe follows soon.
      if (!late && check.state === "ok" && err instanceof SpeechError && err.code === "overloaded") {
        recheck = true;
        return;
      }
      const reason = late ? `no answer within ${Math.round(timeoutMs / 1000)} s` : "it failed; the log says why";
      recheck = false;
      if (check.set("failing", reason)) logEvent(log, "health-check.failed", { err, check: name });
    } finally {
      clearTimeout(timer);
      running = undefined;
    }
  }

  function isDue(): boolean {
    const now = performance.now();
    if (check.state === "pending") return true;
    if (check.state === "failing" || recheck) return now - probedAt >= retryMs;
    return everyMs() > 0 && now - passedAt >= everyMs();
  }

  return {
    check,
    markPassed,
    recheckSoon() {
      recheck = true;
    },
    probeIfDue() {
      if (!closed && running === undefined && isDue()) void runProbe();
    },
    close() {
      closed = true;
      running?.abort(new Error("the server is shutting down"));
    },
  };
}
