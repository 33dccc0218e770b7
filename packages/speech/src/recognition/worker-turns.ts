import { SpeechError } from "../errors.ts";
import { createSlots } from "../lib/slots.ts";
import { monotonicTime } from "../lib/tracing.ts";
import type { JobReport } from "../pool/job-report.ts";
import type { RecognitionWorkers } from "./recognition-pool.ts";

/** Lets the owners of recordings take turns at the workers, however many recordings each of them has sent. */
export interface WorkerTurns {
  /** The workers for a recording of this owner. */
  of(owner: string | undefined, workers: RecognitionWorkers): RecognitionWorkers;
}

export function createWorkerTurns(count: () => number): WorkerTurns {
  const slots = createSlots({
    // One owner may keep all workers busy. A job of another one is the next to run.
    capacity: () => Math.max(1, count()) + 1,
    refusal: () => new SpeechError("overloaded", "too many recordings wait to be transcribed", 1),
  });
  return {
    of: (owner, workers) => ({
      get count() {
        return workers.count;
      },
      run(job, signal, onEnd) {
        const queuedAt = monotonicTime();
        const report = onEnd && ((each: JobReport) => onEnd({ ...each, queuedAt }));
        return slots.run(() => workers.run(job, signal, report), signal, { owner });
      },
    }),
  };
}
