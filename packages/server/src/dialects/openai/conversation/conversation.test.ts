import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { DEFAULT_PLANS } from "@parlance/protocol";
import {
  type ConversationClient,
  connectConversation,
  spoken,
  typesOf,
  update,
  userText,
} from "../../../testing/conversation-client.ts";
import type { JsonMessage } from "../../../testing/json-socket.ts";
import { addMember } from "../../../testing/member.ts";
import { type ScriptedModel, type ScriptStep, startScriptedModel } from "../../../testing/scripted-model.ts";
import { startTestServer, TEST_KEY, type TestServer } from "../../../testing/test-server.ts";
import { createToneSpeech, type ToneSpeech } from "../../../testing/tone-speech.ts";
import { until } from "../../../testing/until.ts";

const turn = spoken(2.5, [
  { start: 0.5, end: 1, level: 40 },
  { start: 1.2, end: 1.5, level: 60 },
]);
const listening = {
  transcription: { language: "en" },
  turn_detection: { type: "server_vad", silence_duration_ms: 300 },
};
const manual = { turn_detection: null };

interface Done {
  readonly status: string;
  readonly status_details: { readonly reason?: string; readonly error?: { readonly code: string } } | null;
  readonly output: readonly { readonly id: string; readonly type: string; readonly status: string }[];
  readonly usage: { readonly total_tokens: number } | null;
  readonly metadata: unknown;
}
const doneOf = (messages: readonly JsonMessage[]): Done => messages.at(-1)?.response as Done;
const textOf = (messages: readonly JsonMessage[], type: string): string =>
  messages
    .filter((each) => each.type === type)
    .map(({ delta }) => delta)
    .join("");
const errorOf = (messages: readonly JsonMessage[]): { code: string; event_id: unknown; param: unknown } =>
  messages.at(-1)?.error as { code: string; event_id: unknown; param: unknown };

function createHold() {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
}

describe("WS /v1/realtime, a conversation", () => {
  let script: (number: number) => readonly ScriptStep[] = () => [{ text: "Hello " }, { text: "there. How are you?" }];
  let model: ScriptedModel;
  let speech: ToneSpeech;
  let beforePart: (part: number, signal: AbortSignal) => Promise<void> | void = () => {};
  let server: TestServer;
  before(async () => {
    model = await startScriptedModel((_request, number) => script(number));
    // A part is a second of audio at 24 kHz.
    speech = createToneSpeech({ samplesPerPart: 24_000, before: (part, signal) => beforePart(part, signal) });
    server = await startTestServer({
      speech,
      config: {
        concurrency: 1,
        llmUrl: model.url,
        llmKey: "model-key",
        llmModel: "small",
        plans: { ...DEFAULT_PLANS, free: { ...DEFAULT_PLANS.free, credits: 1000 } },
      },
    });
  });
  after(async () => {
    await server.close();
    await model.close();
  });

  /** Runs with one answer of the model to each request. */
  async function talk(
    answer: (number: number) => readonly ScriptStep[],
    body: (client: ConversationClient, first: number) => Promise<void>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<void> {
    const first = model.requests.length;
    script = (number) => answer(number - first);
    const client = await connectConversation(server.url, headers);
    try {
      await body(client, first);
    } finally {
      beforePart = () => {};
      await client.close();
      await until(() => server.activeRequests.size === 0);
    }
  }
  const hello = (): readonly ScriptStep[] => [{ text: "Hello " }, { text: "there. How are you?" }];

  it("transcribes a turn, queries the model and speaks the answer, in one slot", () =>
    talk(hello, async (client, first) => {
      client.send(update({ instructions: "Be kind." }, listening, { voice: "alloy" }), ...turn);
      const messages = await client.upTo("response.done");
      const kept = messages.filter(({ type }) => !String(type).includes("transcription.delta"));
      // Words and audio come side by side.
      const order = typesOf(kept).filter((type) => !/output_audio(_transcript)?\.delta$/.test(type));
      assert.deepEqual(order, [
        "session.created",
        "session.updated",
        "input_audio_buffer.speech_started",
        "input_audio_buffer.speech_stopped",
        "input_audio_buffer.committed",
        "conversation.item.added",
        "conversation.item.input_audio_transcription.completed",
        "conversation.item.done",
        "response.created",
        "response.output_item.added",
        "conversation.item.added",
        "response.content_part.added",
        "response.output_audio.done",
        "response.output_audio_transcript.done",
        "response.content_part.done",
        "conversation.item.done",
        "response.output_item.done",
        "response.done",
      ]);
      assert.equal(textOf(messages, "response.output_audio_transcript.delta"), "Hello there. How are you?");
      const audio = Buffer.concat(
        messages
          .filter(({ type }) => type === "response.output_audio.delta")
          .map(({ delta }) => Buffer.from(String(delta), "base64")),
      );
      assert.equal(audio.length, 2 * 2 * 24_000);
      const { status, output, usage } = doneOf(messages);
      assert.deepEqual([status, output.length, usage?.total_tokens], ["completed", 1, 17]);
      const request = model.requests[first];
      assert.equal(request?.authorization, "Bearer model-key");
      assert.equal(request?.body.model, "small");
      assert.deepEqual(request?.body.messages, [
        { role: "system", content: "Be kind." },
        { role: "user", content: "40 60" },
      ]);
    }));

  it("truncates an answer at a barge-in to what was played, also in the model's history", async () => {
    const held = createHold();
    await talk(
      (number) => (number === 0 ? [{ text: "One two three. Four five six. Seven eight nine." }] : [{ text: "Yes." }]),
      async (client, first) => {
        // The second sentence is made when the first one cannot be played yet.
        beforePart = (part) => (part === 2 ? held.promise : undefined);
        client.send(update({}, listening), ...turn);
        await client.upTo("response.output_audio.delta");
        client.send(...turn);
        const cut = await client.upTo("response.done");
        const started = cut.findIndex(({ type }) => type === "input_audio_buffer.speech_started");
        assert.ok(started >= 0);
        assert.ok(cut.slice(started).every(({ type }) => type !== "response.output_audio.delta"));
        const done = doneOf(cut);
        assert.deepEqual([done.status, done.status_details?.reason], ["cancelled", "turn_detected"]);
        const truncated = cut.find(({ type }) => type === "conversation.item.truncated");
        assert.equal(truncated?.item_id, done.output[0]?.id);
        const playedMs = Number(truncated?.audio_end_ms);
        assert.ok(playedMs >= 0 && playedMs <= 2000, `${playedMs}`);
        held.resolve();
        await client.upTo("response.done");
        const sent = model.requests[first + 1]?.body.messages.slice(1) ?? [];
        const played = sent.find(({ role }) => role === "assistant")?.content ?? "";
        assert.ok("One two three. Four five six.".startsWith(played), played);
        assert.deepEqual(
          sent.filter(({ role }) => role === "user").map(({ content }) => content),
          ["40 60", "40 60"],
        );
      },
    );
  });

  it("cuts an answer where the client says that it stopped to play it", () =>
    talk(
      () => [{ text: "One two three four. Five six seven eight." }],
      async (client, first) => {
        client.send(update({}, manual), userText("Count"), { type: "response.create" });
        const { output } = doneOf(await client.upTo("response.done"));
        const item_id = output[0]?.id;
        // Each sentence takes a second, each word a quarter.
        client.send({ type: "conversation.item.truncate", item_id, content_index: 0, audio_end_ms: 1600 });
        const [truncated] = (await client.upTo("conversation.item.truncated")).slice(-1);
        assert.deepEqual([truncated?.item_id, truncated?.audio_end_ms], [item_id, 1600]);
        client.send({ type: "response.create" });
        await client.upTo("response.done");
        const played = model.requests[first + 1]?.body.messages.at(-1);
        assert.deepEqual(played, { role: "assistant", content: "One two three four. Five six" });
      },
    ));

  it("passes the calls of functions on, and their results back", () =>
    talk(
      (number) =>
        number === 0
          ? [
              { text: "Let me see." },
              { call: "weather", id: "call_1", arguments: '{"city":"Rome"}' },
              { call: "time", id: "call_2", arguments: "" },
            ]
          : [{ text: "It is sunny." }],
      async (client, first) => {
        const parameters = { type: "object", properties: { city: { type: "string" } } };
        const tools = [
          { type: "function", name: "weather", description: "The weather", parameters },
          { type: "function", name: "time", parameters: { type: "object" } },
        ];
        client.send(update({ tools, tool_choice: "required", output_modalities: ["text"] }, manual));
        client.send(userText("How is the weather?"), { type: "response.create" });
        const messages = await client.upTo("response.done");
        assert.equal(textOf(messages, "response.output_text.delta"), "Let me see.");
        assert.equal(textOf(messages, "response.function_call_arguments.delta"), '{"city":"Rome"}');
        const calls = messages.filter(({ type }) => type === "response.function_call_arguments.done");
        assert.deepEqual(
          calls.map(({ name, call_id, arguments: given, output_index }) => [name, call_id, given, output_index]),
          [
            ["weather", "call_1", '{"city":"Rome"}', 1],
            ["time", "call_2", "{}", 2],
          ],
        );
        assert.deepEqual(
          doneOf(messages).output.map(({ type }) => type),
          ["message", "function_call", "function_call"],
        );
        // The second call stays without a result.
        const item = { type: "function_call_output", call_id: "call_1", output: "sunny" };
        client.send({ type: "conversation.item.create", item }, { type: "response.create" });
        const answer = await client.upTo("response.done");
        assert.equal(textOf(answer, "response.output_text.delta"), "It is sunny.");
        const asked = model.requests[first]?.body;
        assert.deepEqual([asked?.tools?.length, asked?.tool_choice], [2, "required"]);
        assert.deepEqual(model.requests[first + 1]?.body.messages.slice(1), [
          { role: "user", content: "How is the weather?" },
          { role: "assistant", content: "Let me see." },
          {
            role: "assistant",
            content: null,
            tool_calls: [
              { id: "call_1", type: "function", function: { name: "weather", arguments: '{"city":"Rome"}' } },
            ],
          },
          { role: "tool", tool_call_id: "call_1", content: "sunny" },
        ]);
      },
    ));

  it("waits for the client's commit, and follows changes of turn detection", () =>
    talk(hello, async (client, first) => {
      client.send(update({ output_modalities: ["text"] }, manual), ...turn);
      client.send({ type: "input_audio_buffer.clear" }, ...turn);
      client.send({ type: "input_audio_buffer.commit" }, { type: "input_audio_buffer.commit", event_id: "second" });
      client.send({ type: "response.create" });
      const messages = await client.upTo("response.done");
      const errors = messages.filter(({ type }) => type === "error");
      assert.deepEqual(
        errors.map((each) => errorOf([each]).event_id),
        ["second"],
      );
      assert.deepEqual(model.requests[first]?.body.messages.slice(1), [{ role: "user", content: "40 60" }]);
      client.send({ type: "session.update", session: { audio: { input: listening } } }, ...turn);
      const events = await client.upTo("response.done");
      const started = events.find(({ type }) => type === "input_audio_buffer.speech_started");
      // Times go on: two turns of 2.5 s came before.
      assert.ok(Math.abs(Number(started?.audio_start_ms) - 5500) < 100, `${started?.audio_start_ms}`);
      assert.equal(model.requests[first + 1]?.body.messages.at(-1)?.content, "40 60");
    }));

  it("answers only on request, where the session is configured so", () =>
    talk(hello, async (client) => {
      const turn_detection = { ...listening.turn_detection, create_response: false };
      client.send(update({ output_modalities: ["text"] }, { turn_detection }), ...turn);
      const messages = await client.upTo("conversation.item.done");
      assert.equal(messages.filter(({ type }) => type === "response.created").length, 0);
      const metadata = { asked: "yes" };
      client.send({ type: "response.create", response: { metadata, conversation: "none", instructions: "Briefly." } });
      const answer = await client.upTo("response.done");
      assert.deepEqual(doneOf(answer).metadata, metadata);
      // Outside of the conversation.
      assert.ok(answer.every(({ type }) => type !== "conversation.item.added"));
      client.send({ type: "conversation.item.retrieve", item_id: doneOf(answer).output[0]?.id });
      assert.equal(errorOf(await client.upTo("error")).code, "item_not_found");
    }));

  it("cancels, and has one response at a time", async () => {
    const held = createHold();
    await talk(
      () => [{ text: "Well. " }, { until: held.promise }, { text: "Never said." }],
      async (client, first) => {
        client.send(update({}, manual), userText("Go"), { type: "response.create" });
        await client.upTo("response.output_audio_transcript.delta");
        client.send({ type: "response.create", event_id: "again" });
        const refused = errorOf(await client.upTo("error"));
        assert.deepEqual([refused.code, refused.event_id], ["conversation_already_has_active_response", "again"]);
        client.send({ type: "response.cancel" });
        const done = doneOf(await client.upTo("response.done"));
        assert.deepEqual([done.status, done.status_details?.reason], ["cancelled", "client_cancelled"]);
        await until(() => model.requests[first]?.isClosed === true);
        client.send({ type: "response.cancel" });
        assert.equal(errorOf(await client.upTo("error")).code, "response_cancel_not_active");
      },
    );
    held.resolve();
  });

  it("uses the format and the speed of a session", () =>
    talk(hello, async (client) => {
      for (const [type, format] of [
        ["audio/pcmu", "ulaw"],
        ["audio/pcma", "alaw"],
      ]) {
        const session = { audio: { output: { format: { type }, speed: 1.5 } } };
        client.send({ type: "session.update", session }, userText("Go"), { type: "response.create" });
        // The tone has no encoder.
        const done = doneOf(await client.upTo("response.done"));
        assert.equal(done.status_details?.error?.code, "internal");
        const output = speech.jobs.at(-1)?.request;
        assert.deepEqual([output?.output.format, output?.output.sampleRate, output?.speed], [format, 8000, 1.5]);
      }
    }));

  it("charges for recognized and spoken audio", async () => {
    const member = await addMember(server);
    const key = { authorization: member.headers.authorization ?? "" };
    await talk(
      hello,
      async (client) => {
        client.send(update({}, listening), ...turn);
        await client.upTo("response.done");
      },
      key,
    );
    await until(async () => (await server.store.reservations.ofUser(member.id)).length === 0);
    const [left] = await member.balances();
    // Three started seconds, and the bytes of the answer.
    assert.equal(left, 1000 - 3 * 7 - Buffer.byteLength("Hello there. How are you?"));
    const lines = server.log.filter((line) => line.includes('"route":"/v1/realtime"') && line.includes(member.id));
    const facts = lines.map((line) => JSON.parse(line));
    assert.deepEqual(facts.map(({ operation, status, dialect }) => [operation, status, dialect]).sort(), [
      ["asr", 499, "openai"],
      ["live", 200, "openai"],
    ]);
  });
});

describe("a conversation without a language model", () => {
  it("is refused, and the setting is named", async (context) => {
    const server = await startTestServer();
    context.after(() => server.close());
    await assert.rejects(connectConversation(server.url), /400/);
    const answer = await fetch(`${server.url}/v1/realtime`, { headers: { authorization: `Bearer ${TEST_KEY}` } });
    assert.deepEqual([answer.status, await answer.json()], [200, { object: "realtime", modalities: [] }]);
    const body = server.log.join("\n");
    assert.match(body, /conversation_off/);
  });
});
