import type { OnJobEnd } from "../job-report.ts";
import type { ServiceInfo } from "./capacity.ts";

/** A kind of work that a machine does for api nodes. */
export interface Service {
  readonly workers: number;
  /** What one job occupies of a worker. */
  readonly cost: number;
  readonly about: ServiceInfo;
  /** Jobs without output, and jobs in all, from which on a further one is refused. */
  readonly maxStarting: number;
  readonly maxRunning: number;
  run(job: unknown, signal: AbortSignal, onEnd: OnJobEnd, input: AsyncIterable<Uint8Array>): AsyncIterable<unknown>;
}
