import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { noSpan, withSpan } from "@parlance/speech";
import { newTraceId } from "./trace.ts";
import { createTraceStore } from "./trace-store.ts";
import { createTracer, MAX_SPANS, type SpanSink } from "./tracer.ts";

const START = { route: "POST /v1/tts", operation: "tts", traceId: "a".repeat(32) } as const;
const DONE = { status: 200, ok: true, userId: "ada" } as const;

describe("a tracer", () => {
  it("does nothing when no traces are stored and none exported", () => {
    const tracer = createTracer({ store: createTraceStore(0) });
    const span = tracer.begin(START);
    assert.equal(span.child("a"), noSpan);
    assert.equal(span.follow("round", 0), span);
    span.finish(DONE);
  });

  it("records a tree of spans with their times", () => {
    const store = createTraceStore(1);
    const edge = createTracer({ store }).begin(START);
    const child = edge.child("inference", { chunk: 0 }, 1000);
    child.child("step", {}, 1001).end({ at: 1002 });
    child.set({ engine: "kokoro" });
    child.end({ at: 1005, failed: "failed" });
    child.end({ at: 9999 });
    child.set({ engine: "late" });
    edge.end();
    assert.equal(store.list({}, 1).length, 0, "only finish ends a request");
    edge.finish({ ...DONE, characters: 5 });
    edge.finish({ ...DONE, status: 500 });
    const [request] = store.list({}, 10);
    const [step, inference, outermost] = request?.spans ?? [];
    assert.equal(step?.parentId, inference?.spanId);
    assert.equal(inference?.parentId, outermost?.spanId);
    assert.deepEqual([inference?.from, inference?.to, inference?.error], [1000, 1005, "failed"]);
    assert.deepEqual(inference?.attributes, { chunk: 0, engine: "kokoro" });
    assert.equal(outermost?.attributes["http.response.status_code"], 200);
    assert.equal(outermost?.attributes.characters, 5);
    assert.equal(request?.spanId, outermost?.spanId);
  });

  it("counts spans over the maximum, and includes those that end after the request", () => {
    const store = createTraceStore(1);
    const edge = createTracer({ store }).begin(START);
    const late = edge.child("late");
    for (let count = 0; count < MAX_SPANS + 48; count++) edge.child("many").end();
    edge.finish(DONE);
    const [request] = store.list({}, 1);
    assert.equal(request?.spans.length, MAX_SPANS - 1);
    assert.equal(request?.droppedSpans, 50);
    late.end();
    assert.equal(request?.spans.length, MAX_SPANS);
    assert.equal(request?.spans.find((span) => span.name === "edge")?.attributes.dropped_spans, 50);
  });

  it("decides sampling once per request, and its follow-up requests inherit it", () => {
    const taken: string[] = [];
    let samplerCalls = 0;
    const sink: SpanSink = {
      shouldSample: () => ++samplerCalls === 1,
      add: (span, about) => taken.push(`${span.name} ${about.isRoot} ${about.hasRemoteParent}`),
    };
    const parent = { traceId: START.traceId, parentId: "b".repeat(16), flags: 1, sampled: true, tracestate: undefined };
    const tracer = createTracer({ store: createTraceStore(0), sink });
    const edge = tracer.begin({ ...START, parent });
    edge.child("auth").end();
    edge.finish(DONE);
    const round = edge.follow("round", 5);
    round.child("text").end();
    round.finish(DONE);
    assert.deepEqual(taken, ["auth false false", "edge true true", "text false false", "round true false"]);
    const unsampled = tracer.begin(START);
    unsampled.follow("round", 0).child("text").end();
    unsampled.finish(DONE);
    assert.equal(taken.length, 4);
    assert.equal(samplerCalls, 2);
  });

  it("does not store unauthenticated requests", () => {
    const store = createTraceStore(5);
    createTracer({ store }).begin(START).finish({ status: 401, ok: false });
    assert.deepEqual(store.list({}, 5), []);
  });
});

it("a failed span has the code of the error only", async () => {
  const store = createTraceStore(1);
  const edge = createTracer({ store }).begin(START);
  for (const error of [
    Object.assign(new Error("it quotes the text"), { code: "rate_limited" }),
    new Error("no code"),
  ]) {
    await assert.rejects(
      withSpan(edge, "limits", () => Promise.reject(error)),
      error,
    );
  }
  edge.finish(DONE);
  assert.deepEqual(
    store.list({}, 1)[0]?.spans.map((span) => span.error),
    ["rate_limited", "failed", undefined],
  );
});

describe("the trace store", () => {
  const add = (store: ReturnType<typeof createTraceStore>, spans: number): string => {
    const traceId = newTraceId();
    const edge = createTracer({ store }).begin({ ...START, traceId });
    for (let count = 1; count < spans; count++) edge.child("many").end();
    edge.finish(DONE);
    return traceId;
  };

  it("removes the oldest requests", () => {
    const store = createTraceStore(3);
    const ids = Array.from({ length: 5 }, () => add(store, 2));
    assert.deepEqual(
      store.list({}, 10).map((request) => request.traceId),
      ids.slice(2).reverse(),
    );
    assert.deepEqual(store.find(ids[0] ?? "", undefined), []);
    assert.equal(store.find(ids[4] ?? "", "ada").length, 1);
    assert.equal(store.find(ids[4] ?? "", "bob").length, 0);
  });

  it("removes more when requests have very many spans, but never the newest", () => {
    const store = createTraceStore(10);
    const small = add(store, 10);
    const spans = () => store.list({}, 10).reduce((sum, request) => sum + request.spans.length, 0);
    for (let count = 0; count < 5; count++) {
      const big = add(store, 300);
      assert.equal(store.list({}, 1)[0]?.traceId, big);
      assert.ok(spans() <= 320);
    }
    assert.deepEqual(store.find(small, undefined), []);
    const huge = add(store, MAX_SPANS);
    assert.deepEqual(
      store.list({}, 10).map((request) => request.traceId),
      [huge],
    );
  });
});
