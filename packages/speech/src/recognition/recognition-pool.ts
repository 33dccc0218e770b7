import { createLentPool, type HowUsed } from "../pool/idle-pool.ts";
import { workerModule } from "../pool/worker-process.ts";
import type { ListenerJob, ListenerResult, ListenerSpec } from "./jobs.ts";
import type { Listeners } from "./transcribe-samples.ts";

export interface ListenersOptions {
  readonly workers: number;
  readonly onWorkerLost?: ((reason: string) => void) | undefined;
}

/** The worker processes that listen. */
export interface LentListeners {
  use<T>(spec: ListenerSpec, work: (listeners: Listeners) => Promise<T>, how?: HowUsed): Promise<T>;
  /** The processes that listen now. */
  pids(): number[];
  close(): Promise<void>;
}

export function createListeners({ workers, onWorkerLost }: ListenersOptions): LentListeners {
  const pool = createLentPool<ListenerSpec, ListenerJob, ListenerResult>({
    entry: workerModule("./worker", import.meta.url),
    name: "the recogniser",
    workers,
    onWorkerLost,
  });
  return { ...pool, use: (spec, work, how) => pool.use(spec, (run) => work({ count: workers, run }), how) };
}
