import type { SpeechWindow } from "../engines/engine.ts";
import type { EngineSpec } from "../engines/spec.ts";
import { siblingModule } from "../lib/child-process.ts";
import type { OnJobEnd } from "./job-report.ts";
import type { SpeechJob } from "./messages.ts";
import type { WatchdogTimes } from "./watchdog.ts";
import { createWorkerPool } from "./worker-pool.ts";

/** The worker processes of one synthesis engine. */
export interface Pool {
  /** Resolves with the engine's sample rate when the first worker is ready; rejects when the engine cannot be loaded. */
  readonly ready: Promise<number>;
  synthesize(job: SpeechJob, signal: AbortSignal, onEnd?: OnJobEnd): AsyncIterable<SpeechWindow>;
  /** The processes that are ready. */
  pids(): number[];
  /** Chunks without any audio yet. */
  queued(): number;
  close(): Promise<void>;
}

/** What a worker loads, and the cores that it has while all the others work. */
export interface WorkerSpec extends EngineSpec {
  readonly cores: number;
}

export interface PoolOptions {
  readonly size: number;
  /** The cores of each worker; one by default. */
  readonly cores?: number;
  readonly onWorkerLost?: (reason: string) => void;
  readonly watchdog?: Partial<WatchdogTimes> | undefined;
}

const runtime = {
  // glibc raises its threshold for memory of its own mapping when such memory is freed, as model files are after loading. Weights
  // are then put between smaller things, and 70 MB stay unused. Other C libraries ignore the variable.
  environment: { MALLOC_MMAP_THRESHOLD_: "1048576" },
  // Most garbage is samples, which are not on the heap: with more space for new objects a worker takes 40 MB more, and no less time.
  flags: ["--max-semi-space-size=2"],
};

export function createPool(spec: EngineSpec, { size, cores = 1, onWorkerLost, watchdog }: PoolOptions): Pool {
  const { run, ...pool } = createWorkerPool<WorkerSpec, SpeechJob, SpeechWindow, number>({
    entry: siblingModule("./worker", import.meta.url),
    name: `the ${spec.engine} engine`,
    spec: { ...spec, cores },
    runtime,
    size,
    onWorkerLost,
    watchdog,
  });
  return { ...pool, synthesize: run };
}
