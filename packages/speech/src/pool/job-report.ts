import { monotonicTime } from "../lib/tracing.ts";
import type { WorkTime } from "./messages.ts";

/** What became of one job. */
export interface JobReport {
  /** When it was queued, by `monotonicTime`. */
  readonly queuedAt: number;
  /** From the first to the last moment that a worker computed for it; undefined when no worker has started it. */
  readonly work: WorkTime | undefined;
  /**
   * How long workers computed for it. Between its parts they may have worked for other jobs. Time in which a worker waited for a
   * core does not count, where that is measured: a busy machine makes no job more expensive.
   */
  readonly busyMs: number;
  /** The last process that had it. */
  readonly pid: number | undefined;
  /** The machine of that process, where it is another one. */
  readonly machine?: string | undefined;
  /** How many workers it was given to. */
  readonly tries: number;
  /** `left`: the caller did not wait for the end. */
  readonly outcome: "done" | "failed" | "left";
}

export type OnJobEnd = (report: JobReport) => void;

/** Adds up the work times that workers report for one job. */
export function createJobClock(): {
  add(work: WorkTime): void;
  report(rest: Omit<JobReport, "queuedAt" | "work" | "busyMs">): JobReport;
} {
  const queuedAt = monotonicTime();
  let work: WorkTime | undefined;
  let busyMs = 0;
  return {
    add(step) {
      work = { from: work?.from ?? step.from, to: step.to };
      busyMs += step.busyMs ?? step.to - step.from;
    },
    report: (rest) => ({ queuedAt, work, busyMs, ...rest }),
  };
}
