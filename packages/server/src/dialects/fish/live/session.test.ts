import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { encodeLiveFrame } from "@parlance/protocol";
import { SpeechError } from "@parlance/speech";
import { serveToneSpeech } from "../../../testing/serve-tone-speech.ts";
import { until } from "../../../testing/until.ts";

const start = (request: object = {}) => ({ event: "start", request: { text: "", format: "pcm", ...request } });
const text = (piece: string) => ({ event: "text", text: piece });
const flush = { event: "flush" };
const stop = { event: "stop" };
const PART_BYTES = 3200;

describe("a round on the live socket", () => {
  it("speaks text in pieces of any length, and finishes once", async (context) => {
    const { connect, speech, server } = await serveToneSpeech(context);
    const client = await connect();
    client.send(start(), text("Hel"), text("lo. And mo"), text("re"), stop);
    const { frames, audio, finish } = await client.round();
    assert.deepEqual(finish, { event: "finish", reason: "stop" });
    assert.equal(speech.jobs[0]?.request.text, "Hello. And more");
    assert.equal(audio.length, 2 * PART_BYTES);
    for (const frame of frames) {
      assert.deepEqual(Object.keys(frame), ["event", "audio", "time"]);
      assert.ok(Number.isInteger(frame.time) && frame.time >= 0);
    }
    await client.close();
    const line = server.log.map((each) => JSON.parse(each)).find((each) => each.route === "/v1/tts/live");
    assert.deepEqual(
      { method: line.method, status: line.status, characters: line.characters, audioSeconds: line.audioSeconds },
      { method: "WS", status: 200, characters: 15, audioSeconds: 0.073 },
    );
    assert.equal(line.traceId, client.headers["x-trace-id"]);
    assert.doesNotMatch(server.log.join(""), /Hello/);
  });

  it("speaks the text of the start, and finishes also when there was none", async (context) => {
    const { connect, speech } = await serveToneSpeech(context);
    const client = await connect();
    client.send(start({ text: "First words. " }), text("Then more."), stop);
    assert.equal((await client.round()).audio.length, 2 * PART_BYTES);
    assert.equal(speech.jobs[0]?.request.text, "First words. Then more.");
    for (const request of [{}, { text: undefined }, { text: null }]) {
      client.send(start(request), stop);
      const { frames, finish } = await client.round();
      assert.deepEqual([frames.length, finish.reason], [0, "stop"]);
    }
    await client.close();
  });

  it("fails a round of which no voice can read a word, and says what can be read", async (context) => {
    const { connect } = await serveToneSpeech(context);
    const client = await connect();
    client.send(start(), text("При"), text("вет, "), text("мир."), stop);
    const { finish } = await client.round();
    assert.deepEqual([finish.reason, /languages are en-US/.test(finish.message ?? "")], ["error", true]);
    // Words that cannot be read are left out of a text that has others, wherever they are.
    client.send(start({ text: "Привет, " }), text("world."), stop);
    assert.equal((await client.round()).finish.reason, "stop");
    client.send(start(), text("123 … 😀"), stop);
    assert.equal((await client.round()).finish.reason, "stop");
    await client.close();
  });

  it("speaks everything at a flush, before the stop", async (context) => {
    const { connect } = await serveToneSpeech(context);
    const client = await connect();
    client.send(start(), text("no sentence yet"), flush);
    const first = await client.next();
    assert.ok(typeof first === "object" && first.event === "audio" && first.audio.length === PART_BYTES);
    client.send(flush, flush, stop);
    assert.equal((await client.round()).frames.length, 0);
    await client.close();
  });

  it("sends small frames only at the end and when the text pauses", async (context) => {
    const { connect } = await serveToneSpeech(context, { samplesPerPart: 200, before: () => sleep(70) });
    const sentences = "Hello. ".repeat(20);
    const client = await connect();
    client.send(start(), text(sentences), stop);
    const { frames, audio } = await client.round();
    assert.equal(audio.length, 20 * 400);
    for (const frame of frames.slice(0, -1)) assert.ok(frame.audio.length >= 2048, `${frame.audio.length} bytes`);
    client.send(start(), text(sentences), flush);
    let received = 0;
    while (received < 20 * 400) {
      const frame = await client.next();
      assert.ok(typeof frame === "object" && frame.event === "audio");
      received += frame.audio.length;
    }
    await client.close();
  });

  it("joins surrogate pairs that were split between two pieces", async (context) => {
    const { connect, speech } = await serveToneSpeech(context);
    const client = await connect();
    client.send(start({ text: "a\ud83d" }), text("\ude00 b\ud83d"), flush, text("\ude80"), text("\ud83d"), stop);
    await client.round();
    assert.equal(speech.jobs[0]?.request.text, "a😀 b🚀");
    await client.close();
  });

  it("can be followed by others on the same socket", async (context) => {
    const { connect, speech } = await serveToneSpeech(context);
    const client = await connect();
    for (const [index, rate] of [8000, 16000, 24000].entries()) {
      client.send(start({ sample_rate: rate }), text("Again."), stop);
      assert.equal((await client.round()).finish.reason, "stop");
      assert.equal(speech.jobs[index]?.request.output.sampleRate, rate);
    }
    await client.close();
  });

  it("is queued when it starts before the last one has finished", async (context) => {
    const { connect, speech } = await serveToneSpeech(context);
    const client = await connect();
    client.send(start(), text("One."), stop, start(), text("Two."), stop, start(), text("Three."), stop);
    for (let i = 0; i < 3; i += 1) assert.equal((await client.round()).audio.length, PART_BYTES);
    assert.deepEqual(
      speech.jobs.map((job) => job.request.text),
      ["One.", "Two.", "Three."],
    );
    await client.close();
  });

  it("ends with an error when the next one starts before its stop", async (context) => {
    const { connect } = await serveToneSpeech(context);
    const client = await connect();
    client.send(start(), text("One."), text("Half of"), start(), text("Two."), stop);
    assert.match((await client.round()).finish.message ?? "", /not stopped/);
    const second = await client.round();
    assert.deepEqual([second.finish.reason, second.audio.length], ["stop", PART_BYTES]);
    await client.close();
  });

  it("is refused with the same message as over HTTP, and the socket stays open", async (context) => {
    const { connect, server } = await serveToneSpeech(context);
    const client = await connect();
    for (const wrong of [
      { reference_id: "nobody" },
      { format: "midi" },
      { format: "pcm", sample_rate: 7 },
      { prosody: { speed: 9 } },
      { references: [{ audio: "AAAA", text: "a" }] },
      { text: "x".repeat(30_001) },
    ]) {
      // Frames after an invalid start belong to it, and cause no further error.
      client.send(start(wrong), text("Words."), flush, stop);
      const { finish, frames } = await client.round();
      const http = (await (await server.post({ text: "", format: "pcm", ...wrong })).json()) as { message: string };
      assert.deepEqual([finish.reason, finish.message, frames.length], ["error", http.message, 0]);
    }
    client.send(start({ prosody: { speed: "fast" } }), stop);
    assert.match((await client.round()).finish.message ?? "", /prosody\.speed: Expected a number/);
    for (const request of [undefined, null, 5, "text", []]) {
      client.send({ event: "start", request }, stop);
      assert.match((await client.round()).finish.message ?? "", /request: Expected an object/);
    }
    client.send(start(), text("Fine."), stop);
    assert.equal((await client.round()).finish.reason, "stop");
    await client.close();
  });

  it("uses the model of the upgrade, or the default model", async (context) => {
    const { connect, speech } = await serveToneSpeech(context);
    for (const [model, engine] of [
      ["kokoro", "kokoro"],
      [undefined, "piper"],
      ["", "piper"],
    ] as const) {
      const client = await connect({ headers: { model } });
      client.send(start(), stop);
      assert.equal((await client.round()).finish.reason, "stop");
      assert.equal(speech.jobs.at(-1)?.request.voices[0]?.engine, engine);
      await client.close();
    }
    const client = await connect({ headers: { model: "nothing" } });
    client.send(start(), stop);
    assert.match((await client.round()).finish.message ?? "", /model: "nothing" is not available/);
    await client.close();
  });

  it("ends with an error when the engine fails, and the socket stays open", async (context) => {
    let failure: unknown = new SpeechError("failed", "secret detail");
    const { connect, server } = await serveToneSpeech(context, {
      before: () => {
        if (failure !== undefined) throw failure;
      },
    });
    const client = await connect();
    for (const [error, message] of [
      [failure, /on our side/],
      [new TypeError("secret detail"), /on our side/],
      [new SpeechError("overloaded", "full", 3), /busy/],
      [new SpeechError("closed", "bye"), /shutting down/],
    ] as const) {
      failure = error;
      client.send(start(), text("Words."), text("More."), stop);
      assert.match((await client.round()).finish.message ?? "", message);
    }
    assert.match(server.log.join(""), /secret detail/);
    failure = undefined;
    client.send(start(), text("Words."), stop);
    assert.equal((await client.round()).finish.reason, "stop");
    await client.close();
  });

  it("times out on an engine without output once the text has ended", async (context) => {
    const timeouts = { engineTimeoutMs: 60, readerTimeoutMs: 60_000 };
    const { connect } = await serveToneSpeech(
      context,
      { before: (_part, signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve())) },
      { parts: { timeouts } },
    );
    const client = await connect();
    client.send(start());
    // Slow input is not an error of the engine.
    await new Promise((resolve) => setTimeout(resolve, 150));
    client.send(text("Words."), stop);
    assert.match((await client.round()).finish.message ?? "", /busy/);
    await client.close();
  });
});

describe("invalid frames", () => {
  it("are ignored when their event is unknown", async (context) => {
    const { connect } = await serveToneSpeech(context);
    const client = await connect();
    client.send({ event: "hello" }, { event: 5 }, {}, start(), { event: "toString" }, text("Words."), stop);
    assert.equal((await client.round()).audio.length, PART_BYTES);
    await client.close();
  });

  it("close the socket when text comes on one that never had a start", async (context) => {
    const { connect } = await serveToneSpeech(context);
    const client = await connect();
    client.send(flush, stop, text(""), text("Words."), text("More."), flush);
    assert.match((await client.round()).finish.message ?? "", /send start first/);
    assert.equal(await client.next(), 1008);
  });

  it("end the round when their shape is wrong", async (context) => {
    const { connect } = await serveToneSpeech(context);
    const client = await connect();
    for (const wrong of [{ event: "text" }, { event: "text", text: 5 }, { event: "text", text: null }]) {
      client.send(start(), wrong, text("Words."), stop);
      assert.match((await client.round()).finish.message ?? "", /text: (Expected a string|Field required)/);
    }
    client.send(start(), text("x".repeat(30_001)), stop);
    assert.match((await client.round()).finish.message ?? "", /text: 30001 characters, at most 30000/);
    await client.close();
  });

  for (const [name, data, code] of [
    ["a text frame", '{"event":"stop"}', 1003],
    ["bytes that are no MessagePack", Buffer.of(0xc1), 1007],
    ["half a map", Buffer.of(0x82, 0xa1), 1007],
    ["something that is no map", Buffer.of(0x93, 1, 2, 3), 1007],
    ["text that is not UTF-8", Buffer.from("82a56576656e74a474657874a474657874a1ff", "hex"), 1007],
    ["a frame over the limit", Buffer.alloc(1024 * 1024 + 1), 1009],
    ["text over the limit of frames", encodeLiveFrame({ event: "text", text: "x".repeat(1024 * 1024 + 1) }), 1009],
    ["a start over its limit", Buffer.alloc(16 * 1024 * 1024 + 1), 1009],
  ] as const) {
    it(`finish with an error and close with ${code} when it is ${name}`, async (context) => {
      const { connect, server, speech } = await serveToneSpeech(context);
      for (const before of [[], [start(), text("Words in a round")]]) {
        const client = await connect();
        client.send(...before);
        client.socket.send(data);
        const { finish } = await client.round();
        assert.equal(finish.reason, "error");
        assert.match(finish.message ?? "", /The frame cannot be read/);
        assert.equal(await client.next(), code);
      }
      await until(() => server.activeRequests.size === 0 && speech.jobs.every((job) => job.ended));
    });
  }
});

describe("the socket with timestamps", () => {
  it("sends the text and the offset with each frame", async (context) => {
    const { connect } = await serveToneSpeech(context, { samplesPerPart: 4000 });
    const client = await connect({ path: "/v1/tts/live/with-timestamp" });
    client.send(start({ sample_rate: 8000 }), text("Two words. "), text("And three more."), stop);
    const { frames } = await client.round();
    assert.deepEqual(
      frames.map(({ event: _event, time: _time, audio, ...fields }) => ({ bytes: audio.length, ...fields })),
      [
        {
          bytes: 8000,
          content: "Two words. ",
          alignment: {
            segments: [
              { text: "Two", start: 0, end: 0.25 },
              { text: "words", start: 0.25, end: 0.5 },
            ],
            audio_duration: 0.5,
          },
          chunk_seq: 0,
          chunk_audio_offset_sec: 0,
        },
        {
          bytes: 8000,
          content: "And three more.",
          alignment: {
            segments: [
              { text: "And", start: 0, end: 0.167 },
              { text: "three", start: 0.167, end: 0.333 },
              { text: "more", start: 0.333, end: 0.5 },
            ],
            audio_duration: 0.5,
          },
          chunk_seq: 1,
          chunk_audio_offset_sec: 0.5,
        },
      ],
    );
    await client.close();
  });
});
