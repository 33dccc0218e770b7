import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, it, type TestContext } from "node:test";
import { DEFAULT_PLANS, LISTEN_PATH, type ListenServerFrame } from "@parlance/protocol";
import { WebSocket } from "ws";
import type { Config } from "../../../config/config.ts";
import { type BurstOptions, createBurstTranscription } from "../../../testing/burst-transcription.ts";
import { audioFrames, connectListen } from "../../../testing/listen-client.ts";
import { addMember } from "../../../testing/member.ts";
import { startTestServer } from "../../../testing/test-server.ts";
import { until } from "../../../testing/until.ts";
import { burstSamples } from "../../../testing/wav-file.ts";

const start = { event: "start", request: { language: "en", end_of_turn: "silence", silence_ms: 400 } };
const samples = burstSamples(4, [
  { start: 0.5, end: 1, level: 40 },
  { start: 1.2, end: 1.5, level: 60 },
  { start: 2.5, end: 3, level: 20 },
]);
const stop = { event: "stop" };

async function setUp(context: TestContext, config: Partial<Config> = {}, options: BurstOptions = {}) {
  const server = await startTestServer({ config, transcription: createBurstTranscription(options) });
  context.after(() => server.close());
  return server;
}

const segmentsOf = (frames: readonly ListenServerFrame[]) => frames.filter((frame) => frame.event === "segment");

describe("WS /v1/asr/live", () => {
  it("sends the text of each turn, then the finish, and closes", async (context) => {
    const server = await setUp(context);
    const client = await connectListen(server.url);
    client.send(start, ...audioFrames(samples), stop);
    const { messages: frames, code } = await client.rest();
    assert.equal(code, 1000);
    assert.deepEqual(
      segmentsOf(frames).map(({ text, segment, ends_turn, language_code }) => [
        text,
        segment,
        ends_turn,
        language_code,
      ]),
      [
        ["40 60", 0, true, "en"],
        ["20", 1, true, "en"],
      ],
    );
    const [word] = segmentsOf(frames)[0]?.words ?? [];
    assert.ok(word && Math.abs(word.start - 0.5) < 0.02 && Math.abs(word.end - 1) < 0.02);
    assert.deepEqual(frames.at(-1), { event: "finish", reason: "stop", duration: 4 });
    assert.deepEqual(
      frames.map(({ event }) => event).filter((event) => event.startsWith("speech")),
      ["speech_started", "speech_stopped", "speech_started", "speech_stopped"],
    );
    await until(() => server.log.some((line) => line.includes(LISTEN_PATH) && line.includes('"audioSeconds":4')));
  });

  it("answers a flush at once, and sends no partial text where none is wanted", async (context) => {
    const server = await setUp(context);
    const client = await connectListen(server.url);
    client.send({
      event: "start",
      request: { end_of_turn: "client", partials: false, format: "pcm", sample_rate: 16_000 },
    });
    client.send(...audioFrames(burstSamples(1, [{ start: 0, end: 1, level: 30 }])), { event: "flush" });
    const events: string[] = [];
    for (;;) {
      const frame = await client.next();
      assert.ok(typeof frame !== "number");
      events.push(frame.event);
      if (frame.event === "flushed") break;
    }
    assert.deepEqual(events, ["speech_started", "speech_stopped", "segment", "flushed"]);
    client.send(stop);
    const { messages: frames } = await client.rest();
    assert.deepEqual(frames.at(-1), { event: "finish", reason: "stop", duration: 1 });
  });

  it("gives no text for silence", async (context) => {
    const server = await setUp(context);
    const client = await connectListen(server.url);
    client.send(start, ...audioFrames(new Int16Array(16_000 * 60), 16_000), stop);
    const { messages: frames } = await client.rest();
    assert.deepEqual(frames, [{ event: "finish", reason: "stop", duration: 60 }]);
  });

  it("charges for the audio by the second, however the stream ends", async (context) => {
    const plans = { ...DEFAULT_PLANS, free: { ...DEFAULT_PLANS.free, credits: 1000 } };
    const server = await setUp(context, { plans });
    const member = await addMember(server);
    const key = { authorization: member.headers.authorization ?? "" };
    const client = await connectListen(server.url, key);
    client.send(start, ...audioFrames(burstSamples(12.5, [{ start: 1, end: 2, level: 30 }])), stop);
    await client.rest();
    assert.deepEqual(await member.balances(), [1000 - 13 * 7, 0]);
    const other = await connectListen(server.url, key);
    other.send(start, ...audioFrames(burstSamples(3, [{ start: 0, end: 1, level: 30 }])));
    for (
      let frame = await other.next();
      typeof frame !== "number" && frame.event !== "segment";
      frame = await other.next()
    );
    await other.close();
    await until(async () => (await server.store.reservations.ofUser(member.id)).length === 0);
    assert.deepEqual(await member.balances(), [1000 - 16 * 7, 0]);
  });

  it("ends when the credit does", async (context) => {
    const plans = { ...DEFAULT_PLANS, free: { ...DEFAULT_PLANS.free, credits: 100 } };
    const server = await setUp(context, { plans });
    const member = await addMember(server);
    const client = await connectListen(server.url, { authorization: member.headers.authorization ?? "" });
    client.send(start, ...audioFrames(new Int16Array(16_000 * 20), 16_000));
    const { messages: frames, code } = await client.rest();
    const last = frames.at(-1);
    assert.ok(last?.event === "finish" && last.code === "insufficient_balance");
    assert.equal(code, 1008);
  });

  it("refuses what does not fit with Retry-After, and holds no slot for it", async (context) => {
    const server = await setUp(context, { concurrency: 1 }, { maxStreams: 0 });
    for (let count = 0; count < 3; count++) {
      const client = await connectListen(server.url);
      client.send(start);
      const { messages: frames, code } = await client.rest();
      const [finish] = frames;
      assert.ok(finish?.event === "finish" && finish.code === "overloaded" && finish.retry_after === 7);
      assert.equal(code, 1008);
    }
  });

  it("refuses wrong requests and frames out of order", async (context) => {
    const server = await setUp(context);
    const wrong: readonly (readonly [string, ...unknown[]])[] = [
      ["invalid_value", { event: "start", request: { format: "mp3" } }],
      ["invalid_value", { event: "start", request: { sample_rate: 100 } }],
      ["invalid_value", { event: "start", request: { sample_rate: 16_000.5 } }],
      ["invalid_value", { event: "start", request: { language: "xx" } }],
      ["invalid_value", { event: "start", request: { end_of_turn: "never" } }],
      ["invalid_value", { event: "start", request: { silence_ms: 1 } }],
      ["invalid_request", { event: "start", request: { partials: "yes" } }],
      ["invalid_request", { event: "start" }],
      ["invalid_request", start, { event: "audio", audio: "text" }],
      ["round_missing", { event: "audio", audio: new Uint8Array(2) }],
      ["round_missing", stop],
      ["round_replaced", start, start],
      ["unreadable_frame", new Uint8Array([0xc1])],
      ["unreadable_frame", [1]],
      ["unreadable_frame", start, { event: "audio", audio: new Uint8Array(1024 * 1024 + 1) }],
    ];
    for (const [code, ...frames] of wrong) {
      const client = await connectListen(server.url);
      client.send(...frames);
      const { messages: answers } = await client.rest();
      const last = answers.at(-1);
      assert.ok(last?.event === "finish" && last.code === code, `${code}: ${JSON.stringify(last)}`);
      if (code === "round_missing") assert.match(last.message ?? "", /^(?:audio|stop): no round is open/);
    }
  });

  it("needs a key", async (context) => {
    const server = await setUp(context);
    const socket = new WebSocket(server.url.replace("http", "ws") + LISTEN_PATH);
    const [, response] = await once(socket, "unexpected-response");
    assert.equal(response.statusCode, 401);
    response.resume();
    socket.on("error", () => {});
    socket.terminate();
  });
});
