import assert from "node:assert/strict";
import { buffer } from "node:stream/consumers";
import { describe, it } from "node:test";
import { decodeMessagePack } from "@parlance/protocol";
import { until } from "../../../tests/support/until.ts";
import { ApiError, ConnectionError, Parlance } from "./index.ts";
import { answering } from "./testing/answering.ts";

describe("the client", () => {
  it("sends the request as MessagePack with key and model, and returns the audio as it arrives", async (context) => {
    const seen: unknown[] = [];
    const client = await answering(context, async (request, response) => {
      const { authorization, model, "content-type": type } = request.headers;
      seen.push(request.url, authorization, model, type, decodeMessagePack(await buffer(request)));
      response.writeHead(200, { "content-type": "audio/pcm", "x-trace-id": "abc" });
      response.write(Buffer.of(1, 2));
      setTimeout(() => response.end(Buffer.of(3, 4)), 10);
    });
    const speech = await client.tts.stream({ text: "Hi", format: "pcm", prosody: { speed: 1.2 } });
    assert.equal(speech.contentType, "audio/pcm");
    assert.equal(speech.traceId, "abc");
    const bytes: number[] = [];
    for await (const part of speech) bytes.push(...part);
    assert.deepEqual(bytes, [1, 2, 3, 4]);
    assert.deepEqual(seen, [
      "/v1/tts",
      "Bearer the-key",
      "s2-pro",
      "application/msgpack",
      { text: "Hi", format: "pcm", prosody: { speed: 1.2 } },
    ]);
    assert.deepEqual(await client.tts.convert({ text: "Hi" }), Uint8Array.of(1, 2, 3, 4));
  });

  it("lets a request choose its model", async (context) => {
    const client = await answering(context, (request, response) => response.end(String(request.headers.model)));
    assert.equal(Buffer.from(await client.tts.convert({ text: "a", model: "kokoro" })).toString(), "kokoro");
  });

  it("throws the error of the server, with whether it is retryable", async (context) => {
    const client = await answering(context, (_request, response) => {
      response.writeHead(429, { "x-error-code": "concurrency_limited", "retry-after": "2", "x-trace-id": "abc" });
      response.end(JSON.stringify({ status: 429, message: "Too many" }));
    });
    await assert.rejects(client.tts.stream({ text: "a" }), (error) => {
      assert.ok(error instanceof ApiError);
      assert.deepEqual(
        [error.code, error.status, error.message, error.retryable, error.retryAfterSeconds, error.traceId],
        ["concurrency_limited", 429, "Too many", true, 2, "abc"],
      );
      return true;
    });
  });

  it("throws when the audio breaks off", async (context) => {
    const client = await answering(context, (_request, response) => {
      response.writeHead(200, { "x-trace-id": "abc" });
      response.write("half");
      setTimeout(() => response.destroy(), 20);
    });
    await assert.rejects(client.tts.convert({ text: "a" }), (error) => {
      assert.ok(error instanceof ConnectionError);
      assert.equal(error.retryable, true);
      assert.equal(error.traceId, "abc");
      return true;
    });
  });

  it("throws when the server cannot be reached", async () => {
    const client = new Parlance({ baseUrl: "http://127.0.0.1:1", apiKey: "k" });
    await assert.rejects(client.tts.convert({ text: "a" }), ConnectionError);
  });

  it("times out when the server sends nothing, at the start or in the middle", async (context) => {
    const silent = await answering(context, () => {}, 50);
    await assert.rejects(silent.tts.stream({ text: "a" }), /no response in 50 ms/);
    const stuck = await answering(context, (_request, response) => void response.write("a"), 1000);
    await assert.rejects(stuck.tts.convert({ text: "a" }), /nothing received for 1000 ms/);
  });

  it("stops the transfer when the caller aborts or stops reading", async (context) => {
    let disconnects = 0;
    const client = await answering(context, (_request, response) => {
      response.write("a");
      response.on("close", () => {
        disconnects += 1;
      });
    });
    const controller = new AbortController();
    const speech = await client.tts.stream({ text: "a" }, { signal: controller.signal });
    const reading = assert.rejects(
      async () => {
        for await (const _part of speech) controller.abort(new Error("enough"));
      },
      { message: "enough" },
    );
    await reading;
    for await (const _part of await client.tts.stream({ text: "a" })) break;
    await until(() => disconnects === 2);
    await assert.rejects(client.tts.convert({ text: "a" }, { signal: AbortSignal.abort(new Error("never")) }), {
      message: "never",
    });
  });

  it("returns audio with word timestamps", async (context) => {
    const events = [
      { audio_base64: "AQI=", content: "Hi, you.", alignment: null, chunk_seq: 0, chunk_audio_offset_sec: 0 },
      {
        audio_base64: "",
        content: "Hi, you.",
        alignment: { segments: [{ text: "Hi", start: 0.1, end: 0.3 }], audio_duration: 0.9 },
        chunk_seq: 0,
        chunk_audio_offset_sec: 0,
      },
    ];
    let seen: unknown;
    const client = await answering(context, async (request, response) => {
      seen = [request.url, request.headers.model, decodeMessagePack(await buffer(request))];
      response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "x-trace-id": "abc" });
      for (const byte of events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("")) response.write(byte);
      response.end();
    });
    const speech = await client.tts.streamWithTimestamps({ text: "Hi, you.", format: "pcm" });
    assert.equal(speech.traceId, "abc");
    const received = [];
    for await (const event of speech) received.push(event);
    const [first, second] = events.map(({ audio_base64: _audio, ...fields }) => fields);
    assert.deepEqual(received, [
      { audio: Uint8Array.of(1, 2), ...first },
      { audio: Uint8Array.of(), ...second },
    ]);
    assert.deepEqual(seen, ["/v1/tts/stream/with-timestamp", "s2-pro", { text: "Hi, you.", format: "pcm" }]);
  });

  it("throws for events that are invalid or break off", async (context) => {
    let body = "";
    const client = await answering(context, (_request, response) => response.end(body));
    const fields = `"content":"","alignment":null,"chunk_seq":0,"chunk_audio_offset_sec":0`;
    for (body of ["data: {", "data: {\n\n", "data: {}\n\n", `data: {"audio_base64":"*",${fields}}\n\n`]) {
      await assert.rejects(async () => {
        for await (const _event of await client.tts.streamWithTimestamps({ text: "a" }));
      }, ConnectionError);
    }
  });
});
