import { roundMs, type Span, type SpanAttributes, workClock } from "../tracing.ts";
import type { JobReport } from "./job-report.ts";

/**
 * A span for what a worker process did, by the worker's own clock: from when it began to compute to when it was done. How
 * long it computed in between is said too, since it works for others as well.
 */
export function traceJob(parent: Span, name: string, report: JobReport, attributes: SpanAttributes): void {
  const { queuedAt, work, busyMs, pid, tries, outcome } = report;
  const now = workClock();
  // Processes took the time of day at their own starts; a difference of clocks must not turn cause and effect around.
  const from = within(work?.from ?? now, queuedAt, now);
  const to = within(work?.to ?? now, from, now);
  const figures = { queue_ms: roundMs(from - queuedAt), busy_ms: roundMs(busyMs), tries, outcome };
  const span = parent.child(name, { ...attributes, ...figures, ...(pid === undefined ? {} : { worker: pid }) }, from);
  span.end({ at: to, failed: outcome === "failed" ? "failed" : undefined });
}

function within(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
