import { SpeechError } from "@parlance/speech";
import type { Log } from "../../telemetry/log.ts";
import { type Check, createCheck } from "./check-report.ts";

export interface CanaryOptions {
  readonly name: string;
  /** Does a little of the real work. Its rejection, or its silence, is the finding. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** After how long without a proof it sings again. 0: never, once it was proven. */
  readonly everyMs: () => number;
  /** The same after a failure. */
  readonly retryMs: number;
  readonly timeoutMs: number;
  readonly log: Pick<Log, "info" | "warn">;
}

/** Finds out whether something still works, by using it, unless others have just used it. */
export interface Canary {
  readonly check: Pick<Check, "state" | "report">;
  /** It was used, and did work. */
  prove(): void;
  /** It was used, and did not work: look again soon. */
  doubt(): void;
  /** Sings when it is time to. For a timer to call. */
  tick(): void;
  close(): void;
}

export function createCanary({ name, run, everyMs, retryMs, timeoutMs, log }: CanaryOptions): Canary {
  const check = createCheck(name);
  let singing: AbortController | undefined;
  let provenAt = Number.NEGATIVE_INFINITY;
  let triedAt = Number.NEGATIVE_INFINITY;
  let doubted = false;
  let closed = false;

  function prove(): void {
    provenAt = performance.now();
    doubted = false;
    const before = check.state;
    if (check.set("ok") && before === "failing") log.info({ check: name }, "a check has passed again");
  }

  async function sing(): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    const startedAt = performance.now();
    singing = controller;
    triedAt = startedAt;
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      controller.abort(new Error(`nothing within ${timeoutMs} ms`));
    }, timeoutMs);
    const stopped = new Promise<never>((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
    try {
      // What hangs may not even notice that it is to stop.
      await Promise.race([run(signal), stopped]);
      if (!closed) prove();
    } catch (err) {
      // Others may have proven it in the meantime, while this one only waited for its turn.
      if (closed || (late && provenAt > startedAt)) return;
      // A full house says nothing of whether it works: what is known stays so, and it is tried again soon.
      if (!late && check.state === "ok" && err instanceof SpeechError && err.code === "overloaded") {
        doubted = true;
        return;
      }
      const reason = late ? `no answer within ${Math.round(timeoutMs / 1000)} s` : "it failed; the log says why";
      doubted = false;
      if (check.set("failing", reason)) log.warn({ err, check: name }, "a check has failed");
    } finally {
      clearTimeout(timer);
      singing = undefined;
    }
  }

  function isDue(): boolean {
    const now = performance.now();
    if (check.state === "pending") return true;
    if (check.state === "failing") return now - triedAt >= retryMs;
    if (doubted) return now - triedAt >= retryMs;
    return everyMs() > 0 && now - provenAt >= everyMs();
  }

  return {
    check,
    prove,
    doubt() {
      doubted = true;
    },
    tick() {
      if (!closed && singing === undefined && isDue()) void sing();
    },
    close() {
      closed = true;
      singing?.abort(new Error("the server is shutting down"));
    },
  };
}
