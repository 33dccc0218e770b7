import { SpeechError } from "../errors.ts";
import type { JobClass } from "./dispatch.ts";
import type { OnJobEnd } from "./job-report.ts";
import { createWorkerPool, type WorkerPool } from "./worker-pool.ts";

export interface OnDemandPoolOptions<Job> {
  /** The module that a worker process runs; see `serveJobs`. */
  readonly entry: URL;
  /** The name in error messages: "the recogniser". */
  readonly name: string;
  readonly workers: number;
  readonly idleMs?: number;
  /** All jobs are in the background by default. */
  readonly classOf?: (job: Job) => JobClass;
  readonly onWorkerLost?: ((reason: string) => void) | undefined;
}

export type RunSingleJob<Job, Result> = (job: Job, signal: AbortSignal, onEnd?: OnJobEnd) => Promise<Result>;

export interface UseOptions {
  /** A health check: the processes live no longer for it than they would have without it. */
  readonly probe?: true | undefined;
  /** Live work: one worker is kept free of background jobs for it. */
  readonly live?: true | undefined;
}

/** Worker processes that hold some hundred megabytes, so they only run while there is work, and for an idle time after it. */
export interface OnDemandPool<Spec, Job, Result> {
  use<T>(spec: Spec, work: (run: RunSingleJob<Job, Result>) => Promise<T>, options?: UseOptions): Promise<T>;
  /** The processes that are ready. */
  pids(): number[];
  close(): Promise<void>;
}

const DEFAULT_IDLE_MS = 5 * 60_000;

export function createOnDemandPool<Spec, Job, Result>(
  options: OnDemandPoolOptions<Job>,
): OnDemandPool<Spec, Job, Result> {
  type Pool = WorkerPool<Job, Result, null>;
  interface Lease {
    readonly pool: Pool;
    readonly spec: string;
    users: number;
    keepUntil: number;
    idleTimer: NodeJS.Timeout | undefined;
  }
  const { entry, name, workers, idleMs = DEFAULT_IDLE_MS, classOf, onWorkerLost } = options;
  let current: Lease | undefined;
  const ending = new Set<Promise<void>>();

  function end(pool: Pool): void {
    const closed = pool.close().finally(() => ending.delete(closed));
    ending.add(closed);
  }

  function acquire(spec: Spec): Lease {
    const key = JSON.stringify(spec);
    // The models have changed. Users of the old ones keep them until they are done.
    if (current && current.spec !== key) {
      if (current.users === 0) end(current.pool);
      current = undefined;
    }
    current ??= {
      pool: createWorkerPool<Spec, Job, Result, null>({
        entry,
        name,
        spec,
        size: workers,
        jobsPerWorker: 1,
        ...(classOf ? { classOf } : {}),
        onWorkerLost,
      }),
      spec: key,
      users: 0,
      keepUntil: 0,
      idleTimer: undefined,
    };
    clearTimeout(current.idleTimer);
    current.users++;
    return current;
  }

  function release(lease: Lease, { probe }: UseOptions): void {
    if (probe !== true) lease.keepUntil = performance.now() + idleMs;
    lease.users--;
    if (lease.users > 0) return;
    if (lease !== current) {
      end(lease.pool);
      return;
    }
    lease.idleTimer = setTimeout(
      () => {
        if (current === lease) current = undefined;
        end(lease.pool);
      },
      Math.max(0, lease.keepUntil - performance.now()),
    ).unref();
  }

  async function runSingle(pool: Pool, job: Job, signal: AbortSignal, onEnd?: OnJobEnd): Promise<Result> {
    let result: { readonly part: Result } | undefined;
    for await (const part of pool.run(job, signal, onEnd)) result = { part };
    if (result) return result.part;
    throw new SpeechError("failed", `${name} gave no answer`);
  }

  return {
    async use(spec, work, useOptions = {}) {
      const lease = acquire(spec);
      const endReservation = useOptions.live === true ? lease.pool.reserve() : () => {};
      try {
        return await work((job, signal, onEnd) => runSingle(lease.pool, job, signal, onEnd));
      } finally {
        endReservation();
        release(lease, useOptions);
      }
    },
    pids: () => current?.pool.pids() ?? [],
    async close() {
      clearTimeout(current?.idleTimer);
      if (current) end(current.pool);
      current = undefined;
      await Promise.all(ending);
    },
  };
}
