import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { keepCollectingGarbage } from "../../testing/collect-garbage.ts";
import { type ScriptedModel, type ScriptStep, startScriptedModel } from "../../testing/scripted-model.ts";
import { until } from "../../testing/until.ts";
import { ANSWER_LIMITS } from "./answer-reader.ts";
import type { AnswerEvent, ChatRequest, LanguageModel } from "./chat.ts";
import { createLanguageModel } from "./language-model.ts";

const never = new Promise<void>(() => {});
const event = (delta: object, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ delta, finish_reason }] })}\n\n`;
const request: ChatRequest = {
  messages: [{ role: "user", content: "Hello" }],
  tools: [],
  toolChoice: "auto",
  maxTokens: undefined,
};

describe("the language model", () => {
  let steps: readonly ScriptStep[] = [];
  let endpoint: ScriptedModel;
  let model: LanguageModel;
  before(async () => {
    endpoint = await startScriptedModel(() => steps);
    model = createLanguageModel({ url: `${endpoint.url}/` });
  });
  after(() => endpoint.close());

  async function answer(given: readonly ScriptStep[], asked = request): Promise<readonly AnswerEvent[]> {
    steps = given;
    const events: AnswerEvent[] = [];
    for await (const each of model.answer(asked, new AbortController().signal)) events.push(each);
    return events;
  }
  const fails = (given: readonly ScriptStep[], message: RegExp) =>
    assert.rejects(answer(given), (error: Error & { code?: string }) => {
      assert.equal(error.code, "language_model_failed");
      assert.match(error.message, message);
      return true;
    });

  it("streams text and calls, and counts tokens", async () => {
    assert.deepEqual(await answer([{ text: "Hi" }, { text: " you" }, { call: "f", id: "c", arguments: "{}" }]), [
      { type: "text", text: "Hi" },
      { type: "text", text: " you" },
      { type: "call", call: 0, id: "c", name: "f" },
      { type: "arguments", call: 0, text: "{}" },
      { type: "end", reason: "stop", usage: { input: 12, output: 5 } },
    ]);
    const body = endpoint.requests.at(-1)?.body;
    assert.deepEqual([body?.model, body?.tools, body?.max_tokens], [undefined, undefined, undefined]);
    await answer([{ text: "Hi" }], { ...request, tools: [{ name: "f" }], toolChoice: { name: "f" }, maxTokens: 7 });
    const asked = endpoint.requests.at(-1)?.body;
    assert.deepEqual(asked?.tools, [{ type: "function", function: { name: "f" } }]);
    assert.deepEqual([asked?.tool_choice, asked?.max_tokens], [{ type: "function", function: { name: "f" } }, 7]);
  });

  it("reads what other servers send: without [DONE], with CR, without numbers of calls", async () => {
    const raw = `: comment\r\n\r\n${event({ content: "A" }).replaceAll("\n", "\r\n")}${event({}, "length").trimEnd()}`;
    assert.deepEqual(await answer([{ raw }]), [
      { type: "text", text: "A" },
      { type: "end", reason: "length", usage: undefined },
    ]);
    const call = (name: string) => ({ id: `id-${name}`, function: { name, arguments: "{}" } });
    const calls = event({ tool_calls: [call("a"), call("b")] }, "tool_calls");
    const numbers = (await answer([{ raw: calls }])).flatMap((each) => (each.type === "call" ? [each.call] : []));
    assert.deepEqual(numbers, [0, 1]);
  });

  it("fails when the endpoint is slow", async (context) => {
    keepCollectingGarbage(context);
    const usual = model;
    const slow = { firstMs: 60_000, nextMs: 60_000, totalMs: 60_000 };
    for (const [timeouts, given, message] of [
      [{ ...slow, firstMs: 300 }, [{ until: never }], /nothing came for 300 ms/],
      [{ ...slow, nextMs: 300 }, [{ text: "Well" }, { until: never }], /nothing came for 300 ms/],
      [{ ...slow, totalMs: 300 }, [{ text: "Well" }, { until: never }], /longer than 300 ms/],
    ] as const) {
      model = createLanguageModel({ url: endpoint.url, timeouts });
      await fails(given, message);
    }
    model = usual;
  });

  it("fails when the endpoint is gone or sends something else", async () => {
    await fails([{ text: "Well" }, { gone: true }], /connection broke/);
    await fails([{ status: 500 }], /status 500/);
    await fails([{ redirect: "/v1/models" }], /status 307/);
    await fails([{ raw: "<html></html>" }], /cut off/);
    await fails([{ raw: event({ content: "A" }) }], /cut off/);
    await fails([{ raw: "data: [DONE]\n\n" }], /empty/);
    await fails([{ raw: "data: {\n\n" }], /something else/);
    await fails([{ raw: 'data: {"choices":[{"delta":{"content":5}}]}\n\n' }], /something else/);
    await fails([{ raw: 'data: {"error":{"message":"no"}}\n\n' }], /reported an error/);
    await fails([{ raw: event({ tool_calls: [{ index: 0, function: {} }] }) }], /without a name/);
    const gone = createLanguageModel({ url: "http://127.0.0.1:9/v1" });
    await assert.rejects(async () => {
      for await (const _ of gone.answer(request, new AbortController().signal));
    }, /cannot be reached/);
  });

  it("bounds an answer", async () => {
    const long = await answer(Array.from({ length: 20 }, () => ({ text: "x".repeat(1000) })));
    const text = long.map((each) => (each.type === "text" ? each.text : "")).join("");
    assert.deepEqual([text.length, long.at(-1)?.type], [ANSWER_LIMITS.characters, "end"]);
    await fails([{ raw: `data: ${"x".repeat(300_000)}` }], /a line is over/);
    await fails([{ raw: ": comment\n".repeat(900_000) }], /the answer is over/);
    await fails(
      Array.from({ length: 17 }, (_, index) => ({ call: "f", id: `${index}`, arguments: "" })),
      /more than 16 functions/,
    );
    await fails([{ call: "f", id: "1", arguments: "x".repeat(65_000) }], /arguments/);
  });

  it("ends the connection when the answer is not wanted any more", async (context) => {
    keepCollectingGarbage(context);
    steps = [{ text: "Well" }, { until: never }];
    const controller = new AbortController();
    const reason = new Error("enough");
    await assert.rejects(async () => {
      for await (const _ of model.answer(request, controller.signal)) setTimeout(() => controller.abort(reason), 100);
    }, reason);
    await until(() => endpoint.requests.at(-1)?.isClosed === true);
  });
});
