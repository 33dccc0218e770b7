import { siblingModule } from "../lib/child-process.ts";
import type { JobClass } from "../pool/dispatch.ts";
import type { OnJobEnd } from "../pool/job-report.ts";
import { createOnDemandPool, type UseOptions } from "../pool/on-demand-pool.ts";
import type { RecognitionJob, RecognitionResult, RecognitionSpec } from "./jobs.ts";

export interface RecognitionPoolOptions {
  readonly workers: number;
  readonly onWorkerLost?: ((reason: string) => void) | undefined;
}

/** The workers that one recording may use. */
export interface RecognitionWorkers {
  readonly count: number;
  run(job: RecognitionJob, signal: AbortSignal, onEnd?: OnJobEnd): Promise<RecognitionResult>;
}

/** The worker processes for recognition. */
export interface RecognitionPool {
  use<T>(spec: RecognitionSpec, work: (workers: RecognitionWorkers) => Promise<T>, options?: UseOptions): Promise<T>;
  pids(): number[];
  close(): Promise<void>;
}

export function createRecognitionPool({ workers, onWorkerLost }: RecognitionPoolOptions): RecognitionPool {
  const pool = createOnDemandPool<RecognitionSpec, RecognitionJob, RecognitionResult>({
    entry: siblingModule("./worker", import.meta.url),
    name: "the recogniser",
    workers,
    classOf,
    onWorkerLost,
  });
  return {
    ...pool,
    use: (spec, work, options) => pool.use(spec, (run) => work({ count: workers, run }), options),
  };
}

function classOf(job: RecognitionJob): JobClass {
  if (job.type === "follow-speech") return "instant";
  return "live" in job && job.live === true ? "live" : "background";
}
