import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { monotonicTime } from "../lib/tracing.ts";
import { type RecordedSpan, recordSpans } from "../testing/record-spans.ts";
import type { JobReport } from "./job-report.ts";
import { traceJob } from "./job-span.ts";

describe("the span of a job", () => {
  const job = (changes: Partial<JobReport>): RecordedSpan => {
    const { span, spans } = recordSpans();
    const now = monotonicTime();
    const report: JobReport = {
      queuedAt: now - 100,
      work: { from: now - 80, to: now - 20 },
      busyMs: 30,
      pid: 7,
      tries: 1,
      outcome: "done",
      ...changes,
    };
    traceJob(span, "inference", report, { chunk: 3 });
    return spans[0] ?? assert.fail();
  };
  const duration = ({ from = 0, end }: RecordedSpan) => Math.round((end?.at ?? 0) - from);

  it("has the times that the worker reports, and the queue time", () => {
    const span = job({});
    assert.equal(duration(span), 60);
    const { queue_ms, ...rest } = span.attributes;
    assert.equal(Math.round(Number(queue_ms)), 20);
    assert.deepEqual(rest, { chunk: 3, busy_ms: 30, tries: 1, outcome: "done", worker: 7 });
    assert.equal(span.end?.failed, undefined);
  });

  it("starts after the job was queued and ends by now, whatever the clock of the worker", () => {
    const now = monotonicTime();
    assert.equal(Math.round(Number(job({ work: { from: now - 5000, to: now - 4000 } }).attributes.queue_ms)), 0);
    const ahead = job({ work: { from: now + 4000, to: now + 5000 } });
    assert.equal(duration(ahead), 0);
    assert.ok((ahead.end?.at ?? 0) <= monotonicTime());
  });

  it("has the outcome of a job that was never started, and of one that failed", () => {
    const unstarted = job({ work: undefined, busyMs: 0, pid: undefined, tries: 0, outcome: "left" });
    assert.ok(Number(unstarted.attributes.queue_ms) >= 100);
    assert.equal(unstarted.attributes.outcome, "left");
    assert.equal("worker" in unstarted.attributes, false);
    assert.equal(job({ outcome: "failed", tries: 3 }).end?.failed, "failed");
  });
});
