import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { encodeMessagePack, LIMITS } from "@parlance/protocol";
import { startTestServer, type TestServer } from "../../../testing/test-server.ts";
import { createToneSpeech, TONE_VOICES, type ToneSpeech } from "../../../testing/tone-speech.ts";
import { until } from "../../../testing/until.ts";

describe("POST /v1/tts", () => {
  let speech: ToneSpeech;
  let server: TestServer;
  before(async () => {
    speech = createToneSpeech();
    server = await startTestServer({ speech, config: { maxTextCharacters: 100, concurrency: 5 } });
  });
  after(() => server.close());

  const lastAsked = () => {
    const { trace: _trace, ...request } = speech.jobs.at(-1)?.request ?? assert.fail("nothing was asked");
    return request;
  };

  it("streams audio in chunks with the documented headers", async () => {
    const response = await server.post({ text: "Hello", format: "wav", sample_rate: 16000 });
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), "audio/wav");
    assert.equal(response.headers.get("content-length"), null);
    assert.equal(response.headers.get("transfer-encoding"), "chunked");
    assert.match(response.headers.get("x-trace-id") ?? "", /^[0-9a-f]{32}$/);
    assert.equal(response.headers.get("ratelimit-limit-concurrency"), "5");
    assert.equal(response.headers.get("ratelimit-current-concurrency"), "1");
    assert.equal((await response.arrayBuffer()).byteLength, 44 + 3 * 1600 * 2);
  });

  it("gives the same audio for JSON and MessagePack, under each of its types", async () => {
    const body = { text: "Hello", format: "pcm", seed: 7, prosody: { speed: 1.5 } };
    const json = await (await server.post(body)).arrayBuffer();
    const asked = lastAsked();
    for (const type of ["application/msgpack", "application/x-msgpack", "application/vnd.msgpack"]) {
      const response = await server.post(encodeMessagePack(body), { headers: { "content-type": type } });
      assert.equal(response.headers.get("content-type"), "audio/pcm");
      assert.deepEqual(await response.arrayBuffer(), json);
      assert.deepEqual(lastAsked(), asked);
    }
  });

  it("passes every option on to the engine", async () => {
    await server.post({
      text: "Hi",
      reference_id: ["tone-two", TONE_VOICES[0]?.id],
      format: "pcm",
      sample_rate: 8000,
      latency: "normal",
      chunk_length: 120,
      min_chunk_length: 10,
      normalize: false,
      prosody: { speed: 0.5, volume: -3, normalize_loudness: true },
      temperature: 0.2,
      seed: 99,
      language: "en-GB",
    });
    assert.deepEqual(lastAsked(), {
      text: "Hi",
      voices: [TONE_VOICES[1], TONE_VOICES[0]],
      output: { format: "pcm", sampleRate: 8000, mp3Bitrate: 128, opusBitrate: "auto" },
      latency: "normal",
      chunkLength: 120,
      minChunkLength: 10,
      normalizeText: false,
      speed: 0.5,
      volumeDb: -3,
      normalizeLoudness: true,
      temperature: 0.2,
      seed: 99,
      language: "en-GB",
      voiceByLanguage: false,
    });
  });

  it("uses a new seed for each request without one", async () => {
    const seeds = new Set<number>();
    for (let i = 0; i < 4; i += 1) {
      await (await server.post({ text: "Hi", format: "pcm" })).arrayBuffer();
      seeds.add(lastAsked().seed);
    }
    assert.equal(seeds.size, 4);
  });

  it("uses the first voice of the engine that the model names", async () => {
    await (await server.post({ text: "Hi", format: "pcm" }, { headers: { model: "kokoro" } })).arrayBuffer();
    assert.deepEqual(lastAsked().voices, [TONE_VOICES[2]]);
    assert.equal(lastAsked().voiceByLanguage, true);
    await (await server.post({ text: "Hi", format: "pcm" }, { headers: { model: "s1" } })).arrayBuffer();
    assert.deepEqual(lastAsked().voices, [TONE_VOICES[0]]);
  });

  it("responds to empty text with a valid file without speech", async () => {
    const wav = await server.post({ text: "", format: "wav" });
    assert.equal(wav.status, 200);
    assert.equal((await wav.arrayBuffer()).byteLength, 44);
    const pcm = await server.post({ text: "", format: "pcm" });
    assert.equal(pcm.status, 200);
    assert.equal(pcm.headers.get("content-length"), null);
    assert.equal((await pcm.arrayBuffer()).byteLength, 0);
  });

  const refusals: readonly (readonly [string, unknown, number, string, RegExp])[] = [
    [
      "an unknown format",
      { text: "a", format: "midi" },
      400,
      "invalid_value",
      /^format: "midi" .* mp3, wav, pcm, opus, aac/,
    ],
    ["a rate the format lacks", { text: "a", sample_rate: 9000 }, 400, "invalid_value", /^sample_rate: 9000 .* 32000/],
    ["an unknown voice", { text: "a", reference_id: "nobody" }, 400, "unknown_voice", /"nobody".*tone-one/],
    ["a text over the limit", { text: "a".repeat(101) }, 400, "text_too_long", /101 characters, at most 100/],
    ["a text in letters that no voice reads", { text: "Привет" }, 400, "text_unreadable", /languages are en-US/],
    [
      "a language that no voice speaks",
      { text: "a", language: "tlh" },
      400,
      "invalid_value",
      /^language: "tlh".*en-US/,
    ],
    ["what is not a language", { text: "a", language: "Klingon (any)" }, 400, "invalid_value", /^language: .*pt-BR/],
    [
      "too many references",
      { text: "a", references: Array.from({ length: 21 }, () => ({ audio: "AAAA" })) },
      400,
      "invalid_value",
      /^references: .* at most 20/,
    ],
  ];
  for (const [name, body, status, code, message] of refusals) {
    it(`refuses ${name} with ${status} and a body of two keys`, async () => {
      const response = await server.post(body);
      assert.equal(response.status, status);
      assert.equal(response.headers.get("x-error-code"), code);
      assert.match(response.headers.get("content-type") ?? "", /^application\/json/);
      const answer = (await response.json()) as Record<string, unknown>;
      assert.deepEqual(Object.keys(answer).sort(), ["message", "status"]);
      assert.equal(answer.status, status);
      assert.match(String(answer.message), message);
    });
  }

  it("refuses a model that does not exist and lists those that do", async () => {
    const response = await server.post({ text: "a" }, { headers: { model: "gpt-9" } });
    assert.equal(response.status, 400);
    assert.match(((await response.json()) as { message: string }).message, /"gpt-9".* s2-pro, s1, .* piper, kokoro$/);
  });

  it("refuses a voice of another engine than the model names", async () => {
    const response = await server.post({ text: "a", reference_id: "tone-one" }, { headers: { model: "kokoro" } });
    assert.equal(response.status, 400);
    assert.match(
      ((await response.json()) as { message: string }).message,
      /voice of piper but the request names the model kokoro/,
    );
  });

  it("refuses a wrong shape with 422 and the list of what is wrong", async () => {
    const response = await server.post({ text: 5, normalize: "yes" }, { headers: { model: undefined } });
    assert.equal(response.status, 422);
    assert.equal(response.headers.get("x-error-code"), "invalid_request");
    assert.deepEqual(await response.json(), [
      {
        loc: ["model"],
        type: "missing",
        msg: "Header required. The operator can set PARLANCE_DEFAULT_MODEL for clients that do not send it",
        in: "header",
      },
      { loc: ["text"], type: "string_type", msg: "Expected a string", ctx: "got the number 5", in: "body" },
      { loc: ["normalize"], type: "boolean_type", msg: "Expected true or false", ctx: "got a string", in: "body" },
    ]);
  });

  const unparsable: readonly (readonly [string, string | Uint8Array, string, string])[] = [
    ["broken JSON", '{"text": "secret word"', "application/json", "json_invalid"],
    ["no JSON at all", "", "application/json; charset=utf-8", "json_invalid"],
    ["JSON that is not UTF-8", Uint8Array.of(0x22, 0xff, 0x22), "application/json", "json_invalid"],
    ["broken MessagePack", Uint8Array.of(0xdd, 0xff, 0xff, 0xff, 0xff), "application/msgpack", "msgpack_invalid"],
    ["no MessagePack at all", "", "application/msgpack", "msgpack_invalid"],
  ];
  for (const [name, body, type, issue] of unparsable) {
    it(`answers ${name} with 422`, async () => {
      const response = await server.post(body, { headers: { "content-type": type } });
      assert.equal(response.status, 422);
      const text = await response.text();
      assert.match(text, new RegExp(`"loc":\\["body"\\],"type":"${issue}"`));
      assert.doesNotMatch(text, /secret word/);
    });
  }

  it("responds 415 to other content types", async () => {
    for (const type of ["text/plain", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded"]) {
      const response = await server.post("{}", { headers: { "content-type": type } });
      assert.equal(response.status, 415);
      assert.equal(response.headers.get("x-error-code"), "unsupported_media_type");
      assert.match(await response.text(), /application\/json, application\/msgpack or application\/ssml\+xml/);
    }
  });

  it("responds 413 to a body over its limit, and reads the rest so that the response arrives", async () => {
    for (let again = 0; again < 5; again++) {
      const response = await server.post("x".repeat(LIMITS.ttsBodyBytes + 1_000_000));
      assert.equal(response.status, 413);
      assert.deepEqual(await response.json(), {
        status: 413,
        message: `The body is over the limit of ${LIMITS.ttsBodyBytes} bytes`,
      });
    }
  });

  it("logs neither the key, the text nor the audio", async () => {
    const spoken = await server.post({ text: "a very private sentence", format: "pcm", sample_rate: 16000 });
    await spoken.arrayBuffer();
    const refused = await server.post({ text: "a very private sentence", format: "private-format" });
    const lineOf = ({ headers }: Response) =>
      server.log.find((line) => line.includes(`"traceId":"${headers.get("x-trace-id")}"`));
    // A request is logged shortly after its client has the response.
    await until(() => lineOf(spoken) !== undefined && lineOf(refused) !== undefined);
    assert.doesNotMatch(server.log.join(""), /private|test-key/);
    const line = JSON.parse(lineOf(spoken) ?? "{}") as Record<string, unknown>;
    assert.equal(line.route, "/v1/tts");
    assert.equal(line.status, 200);
    assert.equal(line.characters, 23);
    assert.equal(line.audioSeconds, 0.3);
    assert.equal(line.userId, server.adminId);
    assert.match(String(line.traceId), /^[0-9a-f]{32}$/);
  });
});
