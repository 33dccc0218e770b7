import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createArchiveEncoder } from "@parlance/speech";
import fc from "fast-check";
import { fuzzRuns } from "../../testing/fuzz-runs.ts";
import { connectJson, type JsonMessage } from "../../testing/json-socket.ts";
import { startTestServer, TEST_KEY, type TestServer } from "../../testing/test-server.ts";
import { until } from "../../testing/until.ts";
import { burstSamples } from "../../testing/wav-file.ts";

const bursts = [
  { start: 0.5, end: 1, level: 40 },
  { start: 1.2, end: 1.5, level: 60 },
];
const bytesOf = (samples: Int16Array): Buffer => Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
/** Pieces of 100 ms. */
function* pieces(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const typeOf = ({ type, message_type }: JsonMessage): unknown => type ?? message_type;

describe("live audio in the dialects of others", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ config: { concurrency: 4 } });
  });
  after(() => server.close());

  const connect = (path: string, headers: Record<string, string> = { authorization: `Bearer ${TEST_KEY}` }) =>
    connectJson(server.url + path, headers);

  describe("Deepgram", () => {
    const path = "/v1/listen?encoding=linear16&sample_rate=16000&language=en-US&endpointing=300";
    const token = { authorization: `Token ${TEST_KEY}` };
    const audio = [...pieces(bytesOf(burstSamples(3, bursts)), 3200)];

    it("sends results, and the requested events", async () => {
      const client = await connect(`${path}&interim_results=true&vad_events=true&utterance_end_ms=1000`, token);
      for (const piece of audio) client.socket.send(piece);
      client.send({ type: "KeepAlive" }, { type: "CloseStream" });
      const { messages, code } = await client.rest();
      assert.equal(code, 1000);
      const types = messages.map(typeOf);
      assert.equal(types[0], "SpeechStarted");
      assert.deepEqual(types.slice(-2), ["UtteranceEnd", "Metadata"]);
      const final = messages.find((message) => message.is_final === true);
      assert.ok(final);
      const { channel, speech_final, start, duration } = JSON.parse(JSON.stringify(final));
      const [alternative] = channel.alternatives;
      assert.equal(alternative.transcript, "40 60");
      assert.equal(speech_final, true);
      assert.deepEqual(
        alternative.words.map((word: { readonly punctuated_word: string }) => word.punctuated_word),
        ["40", "60"],
      );
      assert.ok(Math.abs(start - 0.5) < 0.02 && Math.abs(duration - 1) < 0.02);
    });

    it("takes Opus in Ogg, without a sample rate", async () => {
      const encoder = createArchiveEncoder(16_000);
      const samples = bytesOf(burstSamples(3, bursts));
      const ogg = Buffer.concat([await encoder.push(samples), await encoder.finish()]);
      encoder.close();
      const client = await connect("/v1/listen?encoding=ogg-opus&language=en", token);
      for (const piece of pieces(ogg, 500)) client.socket.send(piece);
      client.send({ type: "CloseStream" });
      const { messages, code } = await client.rest();
      assert.equal(code, 1000);
      assert.ok(messages.some((message) => message.is_final === true));
      const duration = Number(messages.find((message) => typeOf(message) === "Metadata")?.duration);
      assert.ok(Math.abs(duration - 3) < 0.1, `${duration} s`);
    });

    it("refuses what is no Opus", async () => {
      const client = await connect("/v1/listen?encoding=opus&language=en", token);
      client.socket.send(Buffer.from(`OggS${"\0".repeat(22)}\u0001\u0004fLaC`, "latin1"));
      const { messages, code } = await client.rest();
      assert.equal(code, 1008);
      assert.match(String(messages.at(-1)?.description), /not Opus/);
    });

    it("answers Finalize, and sends no interim results unless requested", async () => {
      const client = await connect(path.replace("endpointing=300", "endpointing=false"), token);
      for (const piece of audio) client.socket.send(piece);
      client.send({ type: "Finalize" });
      const first = await client.next();
      const second = await client.next();
      assert.ok(typeof first === "object" && first.is_final === true);
      assert.ok(typeof second === "object" && second.from_finalize === true);
      client.send({ type: "CloseStream" });
      await client.rest();
    });

    it("refuses what it cannot read", async () => {
      for (const query of [
        "encoding=speex&sample_rate=16000",
        "encoding=linear16",
        "",
        "encoding=linear16&sample_rate=16000&channels=2",
      ]) {
        const client = await connect(`/v1/listen?${query}`, token);
        const { messages, code } = await client.rest();
        assert.deepEqual([messages.map(typeOf), code], [["Error"], 1008], query);
      }
    });
  });

  describe("OpenAI", () => {
    const path = "/v1/realtime?intent=transcription";
    const input = {
      format: { type: "audio/pcm", rate: 24_000 },
      transcription: { model: "gpt-4o-transcribe", language: "en" },
    };
    const update = (turn_detection: object | null) => ({
      type: "session.update",
      session: { type: "transcription", audio: { input: { ...input, turn_detection } } },
    });
    const audio = [...pieces(bytesOf(burstSamples(3, bursts, 24_000)), 4800)].map((piece) => ({
      type: "input_audio_buffer.append",
      audio: piece.toString("base64"),
    }));

    it("sends the turns that it detects as items", async () => {
      const client = await connect(path);
      client.send(update({ type: "server_vad", silence_duration_ms: 300 }), ...audio);
      const messages: JsonMessage[] = [];
      for (;;) {
        const message = await client.next();
        assert.ok(typeof message === "object");
        messages.push(message);
        if (String(message.type).endsWith("completed")) break;
      }
      await client.close();
      const types = messages.map(typeOf).filter((type) => !String(type).endsWith("delta"));
      assert.deepEqual(types, [
        "session.created",
        "session.updated",
        "input_audio_buffer.speech_started",
        "input_audio_buffer.speech_stopped",
        "input_audio_buffer.committed",
        "conversation.item.input_audio_transcription.completed",
      ]);
      const last = messages.at(-1);
      // The filter of another sample rate changes the level of a burst.
      assert.match(String(last?.transcript), /^\d\d \d\d$/);
      const deltas = messages.filter(({ type }) => String(type).endsWith("delta")).map(({ delta }) => delta);
      assert.equal(deltas.join(""), last?.transcript);
      assert.equal(new Set(messages.map(({ item_id }) => item_id).filter((id) => id !== undefined)).size, 1);
    });

    it("transcribes what the client commits, and not what it clears", async () => {
      const client = await connect(path);
      client.send(update(null), ...audio, { type: "input_audio_buffer.clear" });
      client.send(...audio, { type: "input_audio_buffer.commit" });
      const transcripts: unknown[] = [];
      while (transcripts.length === 0) {
        const message = await client.next();
        assert.ok(typeof message === "object");
        if (String(message.type).endsWith("completed")) transcripts.push(message.transcript);
      }
      assert.match(String(transcripts[0]), /^\d\d \d\d$/);
      client.send({ type: "response.create" });
      const error = await client.next();
      assert.ok(typeof error === "object" && error.type === "error");
      await client.close();
    });

    it("refuses other formats", async () => {
      const client = await connect(path);
      client.send({ type: "session.update", session: { audio: { input: { format: { type: "audio/mp3" } } } } });
      const { messages, code } = await client.rest();
      assert.deepEqual([messages.map(typeOf), code], [["session.created", "error"], 1008]);
    });
  });

  describe("ElevenLabs", () => {
    const path = "/v1/speech-to-text/realtime?model_id=scribe_v2_realtime&audio_format=pcm_16000&language_code=eng";
    const key = { "xi-api-key": TEST_KEY };
    const audio = [...pieces(bytesOf(burstSamples(3, bursts)), 3200)].map((piece) => ({
      message_type: "input_audio_chunk",
      audio_base_64: piece.toString("base64"),
    }));

    it("commits by itself or on request", async () => {
      for (const [query, rest] of [
        ["&commit_strategy=vad&include_timestamps=true", []],
        [
          "&commit_strategy=manual&include_timestamps=true",
          [{ message_type: "input_audio_chunk", audio_base_64: "", commit: true }],
        ],
      ] as const) {
        const client = await connect(path + query, key);
        client.send(...audio, ...rest);
        const messages: JsonMessage[] = [];
        for (;;) {
          const message = await client.next();
          assert.ok(typeof message === "object");
          messages.push(message);
          if (message.message_type === "committed_transcript_with_timestamps") break;
        }
        await client.close();
        assert.equal(messages[0]?.message_type, "session_started");
        assert.equal(messages.at(-1)?.text, "40 60");
        assert.equal(JSON.parse(JSON.stringify(messages.at(-1))).words.length, 3);
      }
    });

    it("refuses other formats", async () => {
      const client = await connect(path.replace("pcm_16000", "mp3_44100"), key);
      const { messages, code } = await client.rest();
      assert.deepEqual([messages.map(typeOf), code], [["invalid_request"], 1008]);
    });
  });

  it("any message in any dialect ends in an answer or a close", async () => {
    const paths = [
      "/v1/listen?encoding=mulaw&sample_rate=8000",
      "/v1/realtime?intent=transcription",
      "/v1/speech-to-text/realtime?commit_strategy=vad",
    ];
    const message = fc.oneof(
      fc.json(),
      fc.string(),
      fc
        .record({
          type: fc.constantFrom("session.update", "input_audio_buffer.append", "Finalize"),
          session: fc.anything(),
          audio: fc.base64String(),
        })
        .map((value) => JSON.stringify(value)),
      fc
        .record({
          message_type: fc.constant("input_audio_chunk"),
          audio_base_64: fc.base64String(),
          commit: fc.boolean(),
        })
        .map((value) => JSON.stringify(value)),
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), fc.array(message, { maxLength: 40 }), async (path, messages) => {
        const client = await connect(path);
        for (const each of messages) client.socket.send(each);
        await client.close();
      }),
      { numRuns: fuzzRuns(25) },
    );
    await until(() => server.activeRequests.size === 0);
    const health = await fetch(`${server.url}/health/live`);
    assert.equal(health.status, 200);
  });
});
