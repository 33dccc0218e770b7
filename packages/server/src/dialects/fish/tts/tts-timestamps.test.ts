import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { encodeMessagePack, type TimestampEvent, timestampEvent } from "@parlance/protocol";
import { SpeechError } from "@parlance/speech";
import { startTestServer, type TestServer } from "../../../testing/test-server.ts";
import { createToneSpeech } from "../../../testing/tone-speech.ts";
import { until } from "../../../testing/until.ts";

const path = "/v1/tts/stream/with-timestamp";

function eventsOf(body: string): TimestampEvent[] {
  const events = body.split("\n\n");
  assert.equal(events.pop(), "", "the last event is complete");
  return events.map((event) => {
    assert.match(event, /^data: \{[^\n]*\}$/, "one unnamed line of JSON");
    return timestampEvent.parse(JSON.parse(event.slice(6)));
  });
}

describe("POST /v1/tts/stream/with-timestamp", () => {
  let server: TestServer;
  let failure: Error | undefined;
  const speech = createToneSpeech({
    before: (part) => {
      if (failure !== undefined && part === (failure.message === "late" ? 1 : 0)) throw failure;
    },
  });
  before(async () => {
    server = await startTestServer({ speech });
  });
  after(() => server.close());

  it("sends events with all five keys and the audio of the plain route", async () => {
    for (const format of ["pcm", "wav"]) {
      const request = { text: "Two words.", format, sample_rate: 8000, seed: 1 };
      const response = await server.post(request, { path });
      assert.equal(response.status, 200);
      assert.equal(response.headers.get("content-type"), "text/event-stream; charset=utf-8");
      assert.equal(response.headers.get("cache-control"), "no-cache");
      assert.equal(response.headers.get("transfer-encoding"), "chunked");
      assert.equal(response.headers.get("content-length"), null);
      assert.equal(response.headers.get("ratelimit-current-concurrency"), "1");
      const body = await response.text();
      const events = eventsOf(body);
      for (const event of events) {
        const keys = ["audio_base64", "content", "alignment", "chunk_seq", "chunk_audio_offset_sec"];
        assert.deepEqual(Object.keys(event), keys);
      }
      const plain = Buffer.from(await (await server.post(request)).arrayBuffer());
      assert.deepEqual(Buffer.concat(events.map((event) => Buffer.from(event.audio_base64, "base64"))), plain);
      const { audio_base64: _audio, ...second } = events.at(-2) ?? assert.fail();
      assert.deepEqual(second, {
        content: "Two words.",
        alignment: {
          segments: [
            { text: "Two", start: 0, end: 0.1 },
            { text: "words", start: 0.1, end: 0.2 },
          ],
          audio_duration: 0.2,
        },
        chunk_seq: 1,
        chunk_audio_offset_sec: 0.2,
      });
    }
  });

  it("accepts MessagePack, sends no event without audio, and logs like the plain route", async () => {
    const headers = { "content-type": "application/msgpack" };
    const response = await server.post(encodeMessagePack({ text: "", format: "pcm" }), { path, headers });
    assert.equal(response.status, 200);
    assert.equal(await response.text(), "");
    await until(() =>
      server.log.some((line) => line.includes(`"route":"${path}"`) && line.includes('"audioSeconds":0')),
    );
  });

  it("makes the same checks with the same messages", async () => {
    for (const [body, headers] of [
      [{ text: "a" }, { authorization: undefined }],
      [{ text: "a" }, { model: undefined }],
      [{ text: 5, prosody: { speed: "x" } }, {}],
      [{ text: "a", format: "midi" }, {}],
      [{ text: "a", reference_id: "nobody" }, {}],
      [{ text: "x".repeat(30_001) }, {}],
      ["{", {}],
      ["a", { "content-type": "text/plain" }],
    ] as const) {
      const [plain, timed] = [await server.post(body, { headers }), await server.post(body, { headers, path })];
      assert.ok(plain.status >= 400);
      assert.equal(timed.status, plain.status);
      assert.equal(timed.headers.get("x-error-code"), plain.headers.get("x-error-code"));
      assert.equal(await timed.text(), await plain.text());
    }
  });

  it("responds with an error before the first audio, and ends abnormally after it", async () => {
    failure = new SpeechError("overloaded", "early", 3);
    const refused = await server.post({ text: "a", format: "pcm" }, { path });
    assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "3"]);
    failure = new SpeechError("failed", "late");
    const cut = await server.post({ text: "a", format: "pcm" }, { path });
    assert.equal(cut.status, 200);
    await assert.rejects(cut.text());
    failure = undefined;
  });
});
