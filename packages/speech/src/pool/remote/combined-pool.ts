import type { EngineName } from "../../engines/registry.ts";
import { SpeechError } from "../../errors.ts";
import type { JobReport } from "../job-report.ts";
import type { Pool } from "../pool.ts";
import type { Cluster } from "./cluster.ts";
import { createRemotePool, speechKind } from "./remote-pool.ts";

/**
 * The worker processes of this machine and those of the cluster as one pool. A chunk is spoken here while a process is idle,
 * and then wherever fewer chunks wait for each process. What the cluster cannot take is spoken here.
 *
 * @param own The pool of this machine; undefined while the engine is not installed here.
 */
export function createCombinedPool(engine: EngineName, own: () => Pool | undefined, cluster: Cluster): Pool {
  const kind = speechKind(engine);
  // Without any machine left, a chunk comes back at once, if it can be spoken here.
  const remote = createRemotePool(engine, cluster, { noMachineMs: () => (own() ? 0 : undefined) });
  let running = 0;

  return {
    get ready() {
      return (own() ?? remote).ready;
    },
    async *synthesize(job, signal, onEnd) {
      const local = own();
      if (!local) {
        yield* remote.synthesize(job, signal, onEnd);
        return;
      }
      if (isElsewhereBetter(running, local.pids().length, cluster.load(kind))) {
        let report: JobReport | undefined;
        let hasOutput = false;
        try {
          for await (const window of remote.synthesize(job, signal, (given) => {
            report = given;
          })) {
            hasOutput = true;
            yield window;
          }
          return;
        } catch (error) {
          if (hasOutput || !isRefusal(error)) throw error;
          report = undefined;
        } finally {
          if (report) onEnd?.(report);
        }
      }
      running++;
      try {
        yield* local.synthesize(job, signal, onEnd);
      } finally {
        running--;
      }
    },
    pids: () => own()?.pids() ?? [],
    queued: () => (own()?.queued() ?? 0) + cluster.queued(kind),
    async close() {
      await Promise.all([own()?.close(), remote.close()]);
    },
  };
}

/** Whether a job should leave a machine with so many jobs and processes, given the load of the best other one. */
export function isElsewhereBetter(running: number, processes: number, loadElsewhere: number): boolean {
  return running >= processes && loadElsewhere < running / Math.max(1, processes);
}

/** Whether other workers may take the job. */
export function isRefusal(error: unknown): boolean {
  return error instanceof SpeechError && (error.code === "overloaded" || error.code === "not_ready");
}
