import { workClock } from "../tracing.ts";
import type { WorkTime } from "./messages.ts";

export { workClock } from "../tracing.ts";

/** What became of one job. */
export interface JobReport {
  /** When it was asked for, on the work clock. */
  readonly queuedAt: number;
  /** From the first to the last moment that a worker computed for it; undefined when none came to it. */
  readonly work: WorkTime | undefined;
  /** How long workers computed for it. Between its parts they may have worked for others. */
  readonly busyMs: number;
  /** The process that had it last. */
  readonly pid: number | undefined;
  /** How many workers it was given to. */
  readonly tries: number;
  /** left: whoever asked for it did not wait for its end. */
  readonly outcome: "done" | "failed" | "left";
}

export type OnJobOver = (report: JobReport) => void;

/** Adds up what workers say of one job. */
export function createJobClock(): {
  add(work: WorkTime): void;
  report(rest: Omit<JobReport, "queuedAt" | "work" | "busyMs">): JobReport;
} {
  const queuedAt = workClock();
  let work: WorkTime | undefined;
  let busyMs = 0;
  return {
    add(step) {
      work = { from: work?.from ?? step.from, to: step.to };
      busyMs += step.to - step.from;
    },
    report: (rest) => ({ queuedAt, work, busyMs, ...rest }),
  };
}
