import { clamp } from "../lib/clamp.ts";
import { monotonicTime, roundMs, type Span, type SpanAttributes } from "../lib/tracing.ts";
import type { JobReport } from "./job-report.ts";

/**
 * Writes a span for the work of a worker process, by the worker's own clock: from the start of its first computation to the
 * end of the last one. `busy_ms` is the computing time alone, since a worker serves several jobs.
 */
export function traceJob(parent: Span, name: string, report: JobReport, attributes: SpanAttributes): void {
  const { queuedAt, work, busyMs, pid, machine, tries, outcome } = report;
  const now = monotonicTime();
  // Each process read the system clock at its own start; a difference must not put an end before its start.
  const from = clamp(work?.from ?? now, queuedAt, now);
  const to = clamp(work?.to ?? now, from, now);
  const measured = { queue_ms: roundMs(from - queuedAt), busy_ms: roundMs(busyMs), tries, outcome };
  const worker = { ...(pid === undefined ? {} : { worker: pid }), ...(machine === undefined ? {} : { machine }) };
  const span = parent.child(name, { ...attributes, ...measured, ...worker }, from);
  span.end({ at: to, failed: outcome === "failed" ? "failed" : undefined });
}
