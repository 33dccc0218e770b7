/**
 * How soon a job has to start. `instant`: at once, beside the other jobs of a worker; it takes a millisecond. `live`: somebody
 * waits for it now. `background`: everything else.
 */
export type JobClass = "instant" | "live" | "background";

/** What the choice of a worker depends on. */
export interface Candidate {
  /** It is late with an answer, so that others are preferred. */
  readonly isSuspect: boolean;
  /** It has not answered yet: it may still compute what was cancelled. */
  readonly isUnanswered: boolean;
  /** The classes of its jobs. */
  readonly jobs: readonly JobClass[];
}

export interface DispatchLimits {
  /** Jobs of a worker, without the instant ones. */
  readonly jobsPerWorker: number;
  /** Workers that may have background jobs at a time. */
  readonly backgroundWorkers: number;
}

const order: readonly JobClass[] = ["instant", "live", "background"];

/** Where in the queue a job is put: behind those of its class, or before them when it is tried again. */
export function positionOf(queue: readonly JobClass[], job: JobClass, isRetry: boolean): number {
  const rank = order.indexOf(job);
  const found = queue.findIndex((other) => order.indexOf(other) > rank - (isRetry ? 1 : 0));
  return found < 0 ? queue.length : found;
}

/** The worker that gets the job; undefined when it has to wait. */
export function chooseWorker<T extends Candidate>(
  workers: readonly T[],
  job: JobClass,
  { jobsPerWorker, backgroundWorkers }: DispatchLimits,
): T | undefined {
  const hasBackground = ({ jobs }: T): boolean => jobs.includes("background");
  const isFree = ({ jobs }: T): boolean => jobs.filter((each) => each !== "instant").length < jobsPerWorker;
  const isAllowed = (worker: T): boolean =>
    job !== "background" || hasBackground(worker) || workers.filter(hasBackground).length < backgroundWorkers;
  const cost = (worker: T): number =>
    Number(worker.isSuspect) * 1e6 +
    (job === "instant" && hasBackground(worker) ? 1e3 : 0) +
    Number(worker.isUnanswered) +
    worker.jobs.length;
  return workers
    .filter((worker) => job === "instant" || (isFree(worker) && isAllowed(worker)))
    .sort((a, b) => cost(a) - cost(b))[0];
}
