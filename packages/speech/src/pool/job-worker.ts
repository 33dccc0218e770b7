import { exitWithParent, lowerPriority } from "../lib/child-process.ts";
import { errorMessage } from "../lib/errors.ts";
import { monotonicTime } from "../lib/tracing.ts";
import type { FromWorker, ToWorker } from "./messages.ts";

const ALIVE_EVERY_MS = 5_000;

/** Runs one job of a worker process. */
export type RunJob<Job, Result> = (job: Job, signal: AbortSignal) => Promise<Result>;

/**
 * Makes this process a worker that runs one job after the other, each with one result. Synthesis must not wait for such
 * work, so it runs at a lower priority: `niceness` as `nice` counts it.
 */
export function serveJobs<Spec, Job, Result>(niceness: number, load: (spec: Spec) => RunJob<Job, Result>): void {
  const running = new Map<number, AbortController>();
  let run: RunJob<Job, Result> | undefined;
  let previous = Promise.resolve();

  const send = (message: FromWorker<Result, null>): void => {
    if (process.connected) process.send?.(message);
  };
  const work = async (id: number, job: Job, signal: AbortSignal): Promise<void> => {
    if (signal.aborted) return;
    const from = monotonicTime();
    const alive = setInterval(() => send({ type: "alive" }), ALIVE_EVERY_MS);
    try {
      if (!run) throw new Error("nothing is loaded");
      const part = await run(job, signal);
      const to = monotonicTime();
      send({ type: "part", id, part, work: { from, to } });
      send({ type: "end", id, work: { from: to, to } });
    } catch (error) {
      if (!signal.aborted) send({ type: "error", id, message: errorMessage(error) });
    } finally {
      clearInterval(alive);
      running.delete(id);
    }
  };

  process.on("message", (message: ToWorker<Spec, Job>) => {
    switch (message.type) {
      case "load":
        lowerPriority(niceness);
        run = load(message.spec);
        send({ type: "ready", about: null });
        break;
      case "start": {
        const abort = new AbortController();
        running.set(message.id, abort);
        const run = () => work(message.id, message.job, abort.signal);
        if (message.beside === true) void run();
        else previous = previous.then(run);
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
  exitWithParent();
}
