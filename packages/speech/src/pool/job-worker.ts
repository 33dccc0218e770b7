import { setPriority } from "node:os";
import { workClock } from "./job-report.ts";
import type { FromWorker, ToWorker } from "./messages.ts";

const ALIVE_EVERY_MS = 5_000;

/** Does one job of a worker process. */
export type RunJob<Job, Result> = (job: Job, signal: AbortSignal) => Promise<Result>;

/**
 * Makes this process a worker that does one job after the other, each with one result. Who is spoken to waits for every
 * word, so such work has to be modest: `priority` is how much it stands back, as `nice` counts.
 */
export function serveJobs<Spec, Job, Result>(priority: number, load: (spec: Spec) => RunJob<Job, Result>): void {
  const running = new Map<number, AbortController>();
  let run: RunJob<Job, Result> | undefined;
  let turn = Promise.resolve();

  const send = (message: FromWorker<Result, null>): void => {
    if (process.connected) process.send?.(message);
  };
  const work = async (id: number, job: Job, signal: AbortSignal): Promise<void> => {
    if (signal.aborted) return;
    const from = workClock();
    const alive = setInterval(() => send({ type: "alive" }), ALIVE_EVERY_MS);
    try {
      if (!run) throw new Error("nothing is loaded");
      const part = await run(job, signal);
      const to = workClock();
      send({ type: "part", id, part, work: { from, to } });
      send({ type: "end", id, work: { from: to, to } });
    } catch (error) {
      if (!signal.aborted) send({ type: "error", id, message: String(error instanceof Error ? error.message : error) });
    } finally {
      clearInterval(alive);
      running.delete(id);
    }
  };

  process.on("message", (message: ToWorker<Spec, Job>) => {
    switch (message.type) {
      case "load":
        lowerPriority(priority);
        run = load(message.spec);
        send({ type: "ready", about: null });
        break;
      case "start": {
        const abort = new AbortController();
        running.set(message.id, abort);
        turn = turn.then(() => work(message.id, message.job, abort.signal));
        break;
      }
      case "cancel":
        running.get(message.id)?.abort();
        running.delete(message.id);
        break;
      case "ping":
        send({ type: "alive" });
        break;
      case "credit":
        break;
    }
  });
  // Without a parent there is nobody to work for. Ctrl-C reaches the whole process group; the parent decides what ends when.
  process.on("disconnect", () => process.exit(0));
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => {});
}

function lowerPriority(priority: number): void {
  try {
    setPriority(priority);
  } catch {
    // Some systems do not let a process be modest; it works all the same.
  }
}
