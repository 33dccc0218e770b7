import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createClusterTraces } from "./cluster-traces.ts";
import type { RequestData } from "./trace-records.ts";
import { createTraceStore } from "./trace-store.ts";

const request: RequestData = {
  traceId: "a".repeat(32),
  spanId: "b".repeat(16),
  userId: "mine",
  route: "POST /v1/tts",
  operation: "tts",
  from: 1000,
  to: 2000,
  status: 200,
  ok: true,
  firstAudioMs: 100,
  audioSeconds: undefined,
  spans: [
    {
      spanId: "b".repeat(16),
      parentId: undefined,
      name: "request",
      from: 1000,
      to: 2000,
      error: undefined,
      attributes: { chunks: 1 },
    },
  ],
  droppedSpans: 0,
};

/** The traces of a node whose cluster gives these answers, and its own answer to a question. */
function nodeWith(answers: readonly unknown[]) {
  const own = createTraceStore(10);
  own.add(request);
  let answerTo = (_question: unknown): unknown => assert.fail("it answers no questions");
  const questions = {
    ask: async () => answers,
    answer: (_topic: string, answer: (question: unknown) => unknown) => {
      answerTo = answer;
    },
  };
  return { traces: createClusterTraces(own, { questions }), answerTo: (question: unknown) => answerTo(question) };
}

describe("traces of other nodes", { timeout: 30_000 }, () => {
  it("are joined with those of this one; values that are left out may be null", async () => {
    const other = { ...request, spanId: "c".repeat(16), to: 3000, audioSeconds: null };
    const { traces } = nodeWith([[other]]);
    assert.deepEqual(
      (await traces.list({ userId: "mine" }, 10)).map(({ spanId, audioSeconds }) => [spanId, audioSeconds]),
      [
        [other.spanId, undefined],
        [request.spanId, undefined],
      ],
    );
    assert.equal((await traces.find(request.traceId, "mine")).length, 2);
  });

  it("are left out when they cannot be read", async () => {
    const damaged = [
      { ...request, from: Number.NaN },
      { ...request, from: 1e300 },
      { ...request, spans: undefined },
      { ...request, spans: [{ name: 7 }] },
      { ...request, operation: "other" },
      {},
      null,
      7,
    ];
    const { traces } = nodeWith([undefined, null, "text", 7, {}, [[]], damaged]);
    assert.equal((await traces.list({}, 10)).length, 1);
    assert.equal((await traces.find(request.traceId, undefined)).length, 1);
  });

  it("are left out when they are of another account", async () => {
    const { traces } = nodeWith([[{ ...request, userId: "theirs" }]]);
    assert.equal((await traces.list({ userId: "mine" }, 10)).length, 1);
    assert.equal((await traces.find(request.traceId, "mine")).length, 1);
    assert.equal((await traces.find(request.traceId, undefined)).length, 2);
  });

  it("are bounded in number", async () => {
    const { traces } = nodeWith([new Array(1000).fill(request)]);
    assert.ok((await traces.find(request.traceId, "mine")).length <= 201);
  });

  it("are asked for in questions that can be read; others get no answer", () => {
    const { answerTo } = nodeWith([]);
    for (const question of [undefined, null, 7, {}, { type: "list" }, { type: "list", filter: {}, limit: "all" }]) {
      assert.equal(answerTo(question), undefined);
    }
    assert.deepEqual(answerTo({ type: "list", filter: { userId: null }, limit: 5 }), [{ ...request, spans: [] }]);
    assert.deepEqual(answerTo({ type: "find", traceId: request.traceId }), [request]);
  });
});
