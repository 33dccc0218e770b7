import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import fc from "fast-check";
import { connectConversation, spoken, update, userText } from "../../../testing/conversation-client.ts";
import { fuzzRuns } from "../../../testing/fuzz-runs.ts";
import type { JsonMessage } from "../../../testing/json-socket.ts";
import { type ScriptedModel, type ScriptStep, startScriptedModel } from "../../../testing/scripted-model.ts";
import { startTestServer, type TestServer } from "../../../testing/test-server.ts";
import { createToneSpeech } from "../../../testing/tone-speech.ts";
import { until } from "../../../testing/until.ts";
import { CONVERSATION_LIMITS } from "./limits.ts";

const never = new Promise<void>(() => {});
const text = { output_modalities: ["text"] };
const turn = spoken(1.5, [{ start: 0.2, end: 0.7, level: 40 }]);
const errorOf = (messages: readonly JsonMessage[]) =>
  messages.at(-1)?.error as { readonly code: string; readonly param: string; readonly event_id: string | null };

describe("a conversation that is not as it should be", () => {
  let steps: readonly ScriptStep[] = [];
  let model: ScriptedModel;
  let server: TestServer;
  before(async () => {
    model = await startScriptedModel(() => steps);
    server = await startTestServer({
      speech: createToneSpeech({ samplesPerPart: 2400 }),
      config: { llmUrl: model.url, concurrency: 4 },
      parts: { languageModelTimeouts: { firstMs: 1500, nextMs: 1500, totalMs: 60_000 } },
    });
  });
  after(async () => {
    await server.close();
    await model.close();
  });

  it("reports a language model that is slow, unreachable or wrong, and continues", async () => {
    const client = await connectConversation(server.url);
    client.send(update({}, { turn_detection: null }));
    for (const [given, status, code] of [
      [[{ until: never }], "failed", "language_model_failed"],
      [[{ text: "Well. " }, { until: never }], "failed", "language_model_failed"],
      [[{ gone: true }], "failed", "language_model_failed"],
      [[{ status: 401 }], "failed", "language_model_failed"],
      [[{ raw: "data: garbage\n\n" }], "failed", "language_model_failed"],
      [[{ text: "x ".repeat(9000) }], "incomplete", undefined],
      [[{ text: "Good." }], "completed", undefined],
    ] as const) {
      steps = given;
      client.send(userText("Hello"), {
        type: "response.create",
        ...(status === "incomplete" ? { response: text } : {}),
      });
      const messages = await client.upTo("response.done");
      const response = messages.at(-1)?.response as {
        readonly status: string;
        readonly status_details: { readonly error?: { readonly code: string } } | null;
      };
      assert.deepEqual([response.status, response.status_details?.error?.code], [status, code]);
      // What the model said before is spoken.
      const isSpoken = messages.some(({ type }) => type === "response.output_audio.delta");
      assert.equal(isSpoken, given.some((step) => "text" in step) && status !== "incomplete");
    }
    await client.close();
    assert.ok(server.log.some((line) => line.includes("language_model_failed")));
    assert.ok(server.log.every((line) => !line.includes("garbage")));
  });

  it("refuses what is wrong or too large with an error that names it, and continues", async () => {
    const client = await connectConversation(server.url);
    const item = (fields: object) => ({ type: "conversation.item.create", item: { type: "message", ...fields } });
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ type: "function", name: `f${index}` }));
    const content = (part: object) => ({ role: "user", content: [part] });
    const wrong: readonly (readonly [string, { readonly type: string }])[] = [
      ["unknown_event", { type: "session.delete" }],
      ["invalid_request", { type: "session.update" }],
      ["invalid_request", update({ instructions: "x".repeat(CONVERSATION_LIMITS.itemCharacters + 1) })],
      ["invalid_request", update({ tools: many(CONVERSATION_LIMITS.tools + 1) })],
      ["invalid_value", update({ tools: [{ type: "mcp", name: "m" }] })],
      ["invalid_value", update({ tools: [{ name: "two words" }] })],
      [
        "invalid_value",
        update({ tools: [{ name: "f", description: "x".repeat(CONVERSATION_LIMITS.toolCharacters) }] }),
      ],
      ["invalid_value", update({ tool_choice: "nothing" })],
      ["invalid_value", update({ output_modalities: ["video"] })],
      ["invalid_value", update({}, { format: { type: "audio/mp3" } })],
      ["invalid_value", update({}, {}, { format: { type: "audio/mp3" } })],
      ["invalid_value", update({}, {}, { format: { type: "constructor" } })],
      ["invalid_value", update({}, {}, { speed: 9 })],
      ["invalid_value", update({}, { turn_detection: { type: "server_vad", silence_duration_ms: 90_000 } })],
      ["input_audio_buffer_commit_empty", { type: "input_audio_buffer.commit" }],
      ["invalid_request", { type: "input_audio_buffer.append" }],
      ["invalid_value", item(content({ type: "input_image", image_url: "data:" }))],
      ["invalid_value", item(content({ type: "input_audio", audio: "AAAA" }))],
      [
        "invalid_request",
        item(content({ type: "input_text", text: "x".repeat(CONVERSATION_LIMITS.itemCharacters + 1) })),
      ],
      ["invalid_request", item({ role: "king" })],
      ["item_not_found", { ...userText("a"), previous_item_id: "nowhere" } as { readonly type: string }],
      ["item_not_found", { type: "conversation.item.delete", item_id: "nothing" } as { readonly type: string }],
      [
        "item_not_found",
        { type: "conversation.item.truncate", item_id: "n", content_index: 0, audio_end_ms: 1 } as {
          readonly type: string;
        },
      ],
      [
        "invalid_request",
        {
          type: "response.create",
          response: { metadata: Object.fromEntries(many(17).map(({ name }) => [name, ""])) },
        } as { readonly type: string },
      ],
      ["response_cancel_not_active", { type: "response.cancel" }],
    ];
    for (const [code, message] of wrong) {
      const event_id = `own-${code}`;
      client.send({ ...message, event_id });
      const error = errorOf(await client.upTo("error"));
      assert.deepEqual([error.code, error.event_id], [code, event_id], JSON.stringify(message).slice(0, 200));
    }
    steps = [{ text: "Good." }];
    client.send(userText("Hello"), { type: "response.create", response: text });
    await client.upTo("response.done");
    await client.close();
  });

  it("keeps a bounded number of items, and drops the oldest", async () => {
    const client = await connectConversation(server.url);
    const { items, characters } = CONVERSATION_LIMITS;
    for (let count = 0; count < items + 5; count += 1) client.send(userText(`${count}`));
    const first = await client.upTo("conversation.item.deleted");
    assert.equal(first.filter(({ type }) => type === "conversation.item.added").length, items + 1);
    for (let count = 0; count < 10; count += 1) client.send(userText("x".repeat(30_000)));
    steps = [{ text: "Good." }];
    client.send({ type: "response.create", response: text });
    await client.upTo("response.done");
    const sent = model.requests.at(-1)?.body.messages.slice(1) ?? [];
    assert.equal(sent.length, Math.floor(characters / 30_000));
    await client.close();
  });

  it("closes a socket that requests and cancels responses repeatedly", async () => {
    const client = await connectConversation(server.url);
    steps = [{ until: never }];
    for (let count = 0; count < 100; count += 1) {
      client.send({ type: "response.create", response: text }, { type: "response.cancel" });
    }
    const { messages, code } = await client.rest();
    assert.equal(code, 1008);
    assert.equal(errorOf(messages).code, "too_many_rounds");
    await until(() => server.activeRequests.size === 0);
  });

  it("closes a socket that changes how it listens again and again", async () => {
    const client = await connectConversation(server.url);
    const lines = server.log.length;
    const [piece] = turn;
    for (let count = 0; count < 200; count += 1) {
      const silence_duration_ms = 300 + count;
      client.send(update({}, { turn_detection: { type: "server_vad", silence_duration_ms } }), piece ?? {});
    }
    const { messages, code } = await client.rest();
    assert.equal(code, 1008);
    assert.equal(errorOf(messages).code, "too_many_rounds");
    await until(() => server.activeRequests.size === 0);
    const streams = server.log.slice(lines).filter((line) => line.includes('"method":"WS"'));
    assert.ok(streams.length < 30, `${streams.length} streams`);
  });

  it("closes on messages that cannot be read", async () => {
    for (const [data, code] of [
      ["{", 1008],
      ["[".repeat(100), 1008],
      [JSON.stringify({ type: 5 }), 1008],
      [Buffer.from([1, 2]), 1003],
      [`{"type":"${"x".repeat(1024 * 1024)}"}`, 1009],
    ] as const) {
      const client = await connectConversation(server.url);
      client.socket.send(data);
      assert.equal((await client.rest()).code, code);
    }
  });

  it("survives random messages in any order, and leaves nothing behind", async () => {
    steps = [{ text: "One. Two." }, { call: "f", id: "c", arguments: "{}" }];
    const anyEvent = fc.constantFrom(
      "session.update",
      "input_audio_buffer.append",
      "conversation.item.create",
      "conversation.item.truncate",
      "response.create",
    );
    const message = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...turn) },
      {
        weight: 2,
        arbitrary: fc.constantFrom(userText("Go"), { type: "response.create" }, { type: "response.cancel" }),
      },
      {
        weight: 2,
        arbitrary: fc.constantFrom(
          { type: "input_audio_buffer.commit" },
          { type: "input_audio_buffer.clear" },
          update({}, { turn_detection: null }),
          update({}, { turn_detection: { type: "semantic_vad", eagerness: "high" } }),
        ),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          type: anyEvent,
          session: fc.anything(),
          item: fc.anything(),
          response: fc.anything(),
          audio: fc.oneof(fc.base64String(), fc.anything()),
        }),
      },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(message, { minLength: 20, maxLength: 60 }), async (messages) => {
        const client = await connectConversation(server.url);
        for (const each of messages)
          client.socket.send(JSON.stringify(each, (_, value) => (typeof value === "bigint" ? 1 : value)) ?? "");
        // The close comes after all of them.
        await client.close();
      }),
      { numRuns: fuzzRuns(12) },
    );
    await until(() => server.activeRequests.size === 0);
    const client = await connectConversation(server.url);
    client.send(userText("Hello"), { type: "response.create" });
    await client.upTo("response.done");
    await client.close();
  });
});
