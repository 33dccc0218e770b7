import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JobReport } from "./pool/job-report.ts";
import { traceJob } from "./pool/job-span.ts";
import { traceReading } from "./synthesis/chunk-trace.ts";
import { planChunks } from "./text/index.ts";
import { createTally, type Span, type SpanAttributes, type SpanEnd, workClock } from "./tracing.ts";

interface Seen {
  readonly name: string;
  readonly attributes: SpanAttributes;
  readonly from: number | undefined;
  end?: SpanEnd | undefined;
}

function recorder(): { readonly span: Span; readonly seen: Seen[] } {
  const seen: Seen[] = [];
  const span: Span = {
    child(name, attributes = {}, from) {
      const one: Seen = { name, attributes, from };
      seen.push(one);
      return { ...span, end: (end) => Object.assign(one, { end }) };
    },
    set() {},
    end() {},
  };
  return { span, seen };
}

describe("the span of a worker's job", () => {
  const job = (changes: Partial<JobReport>): Seen => {
    const { span, seen } = recorder();
    const now = workClock();
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
    return seen[0] ?? assert.fail();
  };
  const lasted = ({ from = 0, end }: Seen) => Math.round((end?.at ?? 0) - from);

  it("lasts as long as the worker says, and tells how long it waited and computed", () => {
    const seen = job({});
    assert.equal(lasted(seen), 60);
    const { queue_ms, ...rest } = seen.attributes;
    assert.equal(Math.round(Number(queue_ms)), 20);
    assert.deepEqual(rest, { chunk: 3, busy_ms: 30, tries: 1, outcome: "done", worker: 7 });
    assert.equal(seen.end?.failed, undefined);
  });

  it("begins after it was asked for and ends by now, whatever the worker's clock says", () => {
    const now = workClock();
    assert.equal(Math.round(Number(job({ work: { from: now - 5000, to: now - 4000 } }).attributes.queue_ms)), 0);
    const ahead = job({ work: { from: now + 4000, to: now + 5000 } });
    assert.equal(lasted(ahead), 0);
    assert.ok((ahead.end?.at ?? 0) <= workClock());
  });

  it("says when no worker came to it, when it failed, and when nobody waited", () => {
    const unbegun = job({ work: undefined, busyMs: 0, pid: undefined, tries: 0, outcome: "left" });
    assert.ok(Number(unbegun.attributes.queue_ms) >= 100);
    assert.equal(unbegun.attributes.outcome, "left");
    assert.equal("worker" in unbegun.attributes, false);
    assert.equal(job({ outcome: "failed", tries: 3 }).end?.failed, "failed");
  });
});

describe("work in many steps", () => {
  it("is one span from the first to the last, with what it took", async () => {
    const { span, seen } = recorder();
    const tally = createTally(span, "encode", { chunk: 0 });
    const before = workClock();
    assert.equal(await tally.add(async () => 1), 1);
    await new Promise((resolve) => setTimeout(resolve, 30));
    assert.equal(
      tally.addNow(() => 2),
      2,
    );
    await assert.rejects(tally.add(() => Promise.reject(new Error("no"))));
    tally.end();
    tally.end();
    const [only, ...others] = seen;
    assert.deepEqual(others, []);
    const { from = 0, end } = only ?? assert.fail();
    assert.ok(from >= before && (end?.at ?? 0) <= workClock());
    assert.ok(Number(only?.attributes.busy_ms) <= (end?.at ?? 0) - from);
  });

  it("is none when nothing was done", () => {
    const { span, seen } = recorder();
    createTally(span, "encode", {}).end();
    assert.deepEqual(seen, []);
  });
});

it("reads the same chunks, and tells of each how many characters it has", () => {
  const { span, seen } = recorder();
  const text = "Grüße! 👋 And a second sentence that is a little longer than the first. ".repeat(8);
  const options = { latency: "balanced", chunkLength: 100, minChunkLength: 50, normalize: true } as const;
  const plan = () => planChunks(text, { ...options, languageOf: () => "en-us" });
  assert.deepEqual([...traceReading(plan(), span)], [...plan()]);
  assert.ok(seen.length > 2);
  assert.deepEqual(
    seen.map(({ attributes }) => attributes.chunk),
    seen.map((_, index) => index),
  );
  const characters = seen.reduce((sum, { attributes }) => sum + Number(attributes.characters), 0);
  assert.equal(characters, [...text].length);
});
