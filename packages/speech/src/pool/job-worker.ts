import { exitWithParent } from "../lib/child-process.ts";
import { errorMessage } from "../lib/errors.ts";
import { createPriority } from "../lib/priority.ts";
import { monotonicTime } from "../lib/tracing.ts";
import { startCpuClock } from "./busy-time.ts";
import type { FromWorker, ToWorker } from "./messages.ts";

const ALIVE_EVERY_MS = 5_000;

/** Runs one job of a worker process. */
export type RunJob<Job, Result> = (job: Job, signal: AbortSignal) => Promise<Result>;

/**
 * Makes this process a worker that runs one job after the other, each with one result. `niceness`: the
 * priority of the process as `nice` counts it, above 0 where synthesis must not wait for such work. Jobs that a client waits for
 * run at normal priority, and so does what they have to wait for.
 */
export function serveJobs<Spec, Job, Result>(niceness: number, load: (spec: Spec) => RunJob<Job, Result>): void {
  const running = new Map<number, AbortController>();
  let run: RunJob<Job, Result> | undefined;
  let previous = Promise.resolve();
  const priority = createPriority(niceness);
  const urgent = new Set<number>();

  const send = (message: FromWorker<Result, null>): void => {
    if (process.connected) process.send?.(message);
  };
  const work = async (id: number, job: Job, signal: AbortSignal): Promise<void> => {
    if (signal.aborted) return;
    const from = monotonicTime();
    const cpuMs = startCpuClock();
    const alive = setInterval(() => send({ type: "alive" }), ALIVE_EVERY_MS);
    try {
      if (!run) throw new Error("nothing is loaded");
      const part = await run(job, signal);
      const to = monotonicTime();
      send({ type: "part", id, part, work: { from, to, busyMs: Math.min(to - from, cpuMs()) } });
      send({ type: "end", id, work: { from: to, to } });
    } catch (error) {
      if (!signal.aborted) send({ type: "error", id, message: errorMessage(error) });
    } finally {
      clearInterval(alive);
      finish(id);
    }
  };

  const finish = (id: number): void => {
    running.delete(id);
    urgent.delete(id);
  };

  process.on("message", (message: ToWorker<Spec, Job>) => {
    switch (message.type) {
      case "load":
        run = load(message.spec);
        send({ type: "ready", about: null });
        break;
      case "start": {
        const abort = new AbortController();
        running.set(message.id, abort);
        if (message.urgent === true) {
          urgent.add(message.id);
          priority.raise();
        }
        const run = () => {
          if (urgent.size === 0) priority.lower();
          return work(message.id, message.job, abort.signal);
        };
        if (message.beside === true) void run();
        else previous = previous.then(run);
        break;
      }
      case "cancel":
        running.get(message.id)?.abort();
        finish(message.id);
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
