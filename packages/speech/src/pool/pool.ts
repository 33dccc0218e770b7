import type { SpeechWindow } from "../engines/engine.ts";
import type { EngineSpec } from "../engines/load.ts";
import type { OnJobOver } from "./job-report.ts";
import type { SpeechJob } from "./messages.ts";
import type { WatchTimes } from "./watchdog.ts";
import { createWorkerPool } from "./worker-pool.ts";
import { workerModule } from "./worker-process.ts";

/** The worker processes of one engine. */
export interface Pool {
  /** Resolves with the engine's sample rate when the first worker can speak; rejects when the engine cannot be loaded. */
  readonly ready: Promise<number>;
  synthesize(job: SpeechJob, signal: AbortSignal, onOver?: OnJobOver): AsyncIterable<SpeechWindow>;
  /** The processes that can speak now. */
  pids(): number[];
  /** Chunks of which nothing can be heard yet. */
  waiting(): number;
  close(): Promise<void>;
}

export interface PoolOptions {
  readonly size: number;
  readonly onWorkerLost?: (reason: string) => void;
  readonly watch?: Partial<WatchTimes> | undefined;
}

export function createPool(spec: EngineSpec, { size, onWorkerLost, watch }: PoolOptions): Pool {
  const { run, ...pool } = createWorkerPool<EngineSpec, SpeechJob, SpeechWindow, number>({
    entry: workerModule("./worker", import.meta.url),
    name: `the ${spec.engine} engine`,
    spec,
    size,
    onWorkerLost,
    watch,
  });
  return { ...pool, synthesize: run };
}
