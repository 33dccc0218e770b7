import { roundMs, type Span } from "../lib/tracing.ts";
import type { OnJobEnd } from "../pool/job-report.ts";
import type { RecognitionJob, RecognitionResult } from "./jobs.ts";
import type { RecognitionWorkers } from "./recognition-pool.ts";
import type { Region } from "./speech-regions.ts";

/** Runs a job and checks the type of its result. */
export async function runJob<T extends RecognitionResult["type"]>(
  workers: RecognitionWorkers,
  job: RecognitionJob,
  type: T,
  signal: AbortSignal,
  onEnd: OnJobEnd,
): Promise<Extract<RecognitionResult, { type: T }>> {
  const result = await workers.run(job, signal, onEnd);
  if (result.type !== type) throw new Error(`a worker answered "${result.type}" instead of "${type}"`);
  return result as Extract<RecognitionResult, { type: T }>;
}

/** Sums up many small jobs in one span. */
export function summarizeJobs(span: Span): OnJobEnd {
  let busy = 0;
  let queue: number | undefined;
  return ({ work, queuedAt, busyMs }) => {
    busy += busyMs;
    // The queue time of the recording is that of its first job.
    queue ??= work && Math.max(0, work.from - queuedAt);
    span.set({ busy_ms: roundMs(busy), ...(queue === undefined ? {} : { queue_ms: roundMs(queue) }) });
  };
}

export function secondsOf(regions: readonly Region[]): number {
  return roundMs(regions.reduce((sum, { from, to }) => sum + to - from, 0));
}
