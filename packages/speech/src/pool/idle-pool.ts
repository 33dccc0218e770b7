import { SpeechError } from "../speech.ts";
import type { OnJobOver } from "./job-report.ts";
import { createWorkerPool, type WorkerPool } from "./worker-pool.ts";

export interface LentPoolOptions {
  /** The module that a worker process runs; see `serveJobs`. */
  readonly entry: URL;
  /** What messages call it: "the recogniser". */
  readonly name: string;
  readonly workers: number;
  readonly keptIdleMs?: number;
  readonly onWorkerLost?: ((reason: string) => void) | undefined;
}

export type RunOne<Job, Result> = (job: Job, signal: AbortSignal, onOver?: OnJobOver) => Promise<Result>;

export interface HowUsed {
  /** The processes live no longer for it than they would have without it. */
  readonly inPassing?: true | undefined;
}

/** Worker processes that hold some hundred megabytes, so they only live while there is work, and a little longer. */
export interface LentPool<Spec, Job, Result> {
  use<T>(spec: Spec, work: (run: RunOne<Job, Result>) => Promise<T>, how?: HowUsed): Promise<T>;
  /** The processes that can work now. */
  pids(): number[];
  close(): Promise<void>;
}

const KEPT_IDLE_MS = 5 * 60_000;

export function createLentPool<Spec, Job, Result>(options: LentPoolOptions): LentPool<Spec, Job, Result> {
  type Pool = WorkerPool<Job, Result, null>;
  const { entry, name, workers, keptIdleMs = KEPT_IDLE_MS, onWorkerLost } = options;
  let current:
    | { readonly pool: Pool; readonly spec: string; users: number; keptUntil: number; idle: NodeJS.Timeout | undefined }
    | undefined;
  const ending = new Set<Promise<void>>();

  function end(pool: Pool): void {
    const closed = pool.close().finally(() => ending.delete(closed));
    ending.add(closed);
  }

  function take(spec: Spec): NonNullable<typeof current> {
    const described = JSON.stringify(spec);
    // Other models than before: who still uses the old ones keeps them to the end.
    if (current && current.spec !== described) {
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
        onWorkerLost,
      }),
      spec: described,
      users: 0,
      keptUntil: 0,
      idle: undefined,
    };
    clearTimeout(current.idle);
    current.users++;
    return current;
  }

  function give(taken: NonNullable<typeof current>, { inPassing }: HowUsed): void {
    if (inPassing !== true) taken.keptUntil = performance.now() + keptIdleMs;
    taken.users--;
    if (taken.users > 0) return;
    if (taken !== current) {
      end(taken.pool);
      return;
    }
    taken.idle = setTimeout(
      () => {
        if (current === taken) current = undefined;
        end(taken.pool);
      },
      Math.max(0, taken.keptUntil - performance.now()),
    ).unref();
  }

  async function onePart(pool: Pool, job: Job, signal: AbortSignal, onOver?: OnJobOver): Promise<Result> {
    let result: { readonly part: Result } | undefined;
    for await (const part of pool.run(job, signal, onOver)) result = { part };
    if (result) return result.part;
    throw new SpeechError("failed", `${name} gave no answer`);
  }

  return {
    async use(spec, work, how = {}) {
      const taken = take(spec);
      try {
        return await work((job, signal, onOver) => onePart(taken.pool, job, signal, onOver));
      } finally {
        give(taken, how);
      }
    },
    pids: () => current?.pool.pids() ?? [],
    async close() {
      clearTimeout(current?.idle);
      if (current) end(current.pool);
      current = undefined;
      await Promise.all(ending);
    },
  };
}
