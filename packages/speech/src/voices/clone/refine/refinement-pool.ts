import { SpeechError } from "../../../errors.ts";
import { siblingModule } from "../../../lib/child-process.ts";
import { createSlots } from "../../../lib/slots.ts";
import { createOnDemandPool } from "../../../pool/on-demand-pool.ts";
import type { RefinementJob, RefinementResult, RefinementSpec } from "./refinement.ts";

/** The worker process that refines voices, one after the other. */
export interface RefinementPool {
  /** When the signal aborts, the work ends at once, whatever the process does. */
  refine(spec: RefinementSpec, job: RefinementJob, signal: AbortSignal): Promise<RefinementResult>;
  /** The process that is ready, on this machine. */
  pids(): readonly number[];
  close(): Promise<void>;
}

/** The process holds several hundred megabytes, and starts within a second. */
const IDLE_MS = 10_000;

/** Voices that wait for the process. */
const MAX_WAITING = 64;

export interface RefinementPoolOptions {
  readonly onWorkerLost?: ((reason: string) => void) | undefined;
  /** The module that the process runs; another one in tests. */
  readonly entry?: URL | undefined;
  readonly idleMs?: number | undefined;
}

/** A process on this machine. */
export function createRefinementPool(options: RefinementPoolOptions = {}): RefinementPool {
  const { onWorkerLost, idleMs = IDLE_MS } = options;
  const pool = createOnDemandPool<RefinementSpec, RefinementJob, RefinementResult>({
    entry: options.entry ?? siblingModule("./refinement-worker", import.meta.url),
    name: "the refinement of voices",
    workers: 1,
    idleMs,
    onWorkerLost,
  });
  const turns = createSlots({
    capacity: 1,
    maxWaiting: MAX_WAITING,
    refusal: () => new SpeechError("overloaded", "too many voices wait to be refined", 1),
  });
  let isClosed = false;
  const refine = async (spec: RefinementSpec, job: RefinementJob, signal: AbortSignal): Promise<RefinementResult> => {
    if (isClosed) throw new SpeechError("closed", "the service is shutting down");
    try {
      return await pool.use(spec, (run) => run(job, signal));
    } finally {
      // A job runs for minutes. The next one does not wait for the rest of it, nor is memory held for it.
      if (signal.aborted) await pool.close();
    }
  };
  return {
    refine: (spec, job, signal) => turns.run(() => refine(spec, job, signal), signal),
    pids: pool.pids,
    async close() {
      isClosed = true;
      await pool.close();
    },
  };
}
