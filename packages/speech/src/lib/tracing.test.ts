import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { recordSpans } from "../testing/record-spans.ts";
import { createStepSpan, monotonicTime, withSpan } from "./tracing.ts";

describe("a step span", () => {
  it("lasts from the first step to the last, with the time that the steps took", async () => {
    const { span, spans } = recordSpans();
    const steps = createStepSpan(span, "encode", { chunk: 0 });
    const before = monotonicTime();
    assert.equal(await steps.run(async () => 1), 1);
    await new Promise((resolve) => setTimeout(resolve, 30));
    assert.equal(
      steps.runSync(() => 2),
      2,
    );
    await assert.rejects(steps.run(() => Promise.reject(new Error("no"))));
    steps.end();
    steps.end();
    const [only, ...others] = spans;
    assert.deepEqual(others, []);
    const { from = 0, end } = only ?? assert.fail();
    assert.ok(from >= before && (end?.at ?? 0) <= monotonicTime());
    assert.ok(Number(only?.attributes.busy_ms) <= (end?.at ?? 0) - from);
  });

  it("is not written without any step", () => {
    const { span, spans } = recordSpans();
    createStepSpan(span, "encode", {}).end();
    assert.deepEqual(spans, []);
  });
});

it("a failure inside a span is recorded by its code, without its message", async () => {
  const { span, spans } = recordSpans();
  const failure = Object.assign(new Error("the text of a client"), { code: "overloaded" });
  await assert.rejects(withSpan(span, "work", () => Promise.reject(failure)));
  await assert.rejects(withSpan(span, "work", () => Promise.reject(new Error("the text of a client"))));
  assert.equal(await withSpan(span, "work", () => 7), 7);
  assert.deepEqual(
    spans.map(({ end }) => end?.failed),
    ["overloaded", "failed", undefined],
  );
});
