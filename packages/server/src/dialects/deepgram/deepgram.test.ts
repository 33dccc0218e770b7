import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { LIMITS } from "@parlance/protocol";
import fc from "fast-check";
import { uploads } from "../../testing/asr-client.ts";
import { fuzzRuns } from "../../testing/fuzz-runs.ts";
import { mutated } from "../../testing/mutated-bytes.ts";
import { startTestServer, TEST_KEY, type TestServer } from "../../testing/test-server.ts";
import { burstSamples, wavFile } from "../../testing/wav-file.ts";

const samples = burstSamples(4, [
  { start: 0.5, end: 1, level: 40 },
  { start: 1.2, end: 1.5, level: 60 },
  { start: 3, end: 3.5, level: 20 },
]);
const WAV = wavFile(samples, 16_000);

describe("the API of Deepgram", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  const listen = (query: string, body: Uint8Array<ArrayBuffer> | string, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/v1/listen?${query}`, {
      method: "POST",
      headers: { authorization: `Token ${TEST_KEY}`, "content-type": "application/octet-stream", ...headers },
      body,
    });

  it("transcribes the body with words, paragraphs and utterances", async () => {
    const response = await listen("model=nova-3&language=en-US&smart_format=true&paragraphs=true&utterances=true", WAV);
    assert.equal(response.status, 200);
    const { metadata, results } = JSON.parse(await response.text());
    assert.equal(metadata.duration, 4);
    assert.equal(metadata.request_id, response.headers.get("x-trace-id"));
    const [alternative] = results.channels[0].alternatives;
    assert.equal(alternative.transcript, "40 60 20");
    assert.deepEqual(alternative.words[0], { word: "40", start: 0.5, end: 1, confidence: 1, punctuated_word: "40" });
    assert.equal(alternative.paragraphs.paragraphs[0].num_words, 3);
    assert.deepEqual(
      results.utterances.map((each: { readonly transcript: string }) => each.transcript),
      ["40 60", "20"],
    );
    const plain = JSON.parse(await (await listen("detect_language=true", WAV)).text());
    assert.equal(plain.results.channels[0].detected_language, "en");
    assert.equal("utterances" in plain.results, false);
  });

  it("takes raw audio with its encoding and rate", async () => {
    const raw = new Uint8Array(Buffer.from(samples.buffer));
    const response = await listen("encoding=linear16&sample_rate=16000&channels=1", raw);
    assert.equal(JSON.parse(await response.text()).results.channels[0].alternatives[0].transcript, "40 60 20");
    const unknown = await listen("encoding=linear16", raw);
    assert.equal(unknown.status, 400);
    assert.match(await unknown.text(), /sample_rate/);
    assert.equal((await listen("encoding=constructor", WAV)).status, 200);
  });

  it("has its own shape for every error", async () => {
    const errors: readonly (readonly [number, string, Promise<Response>])[] = [
      [400, "INVALID_VALUE", listen("", '{"url":"https://example.org/a.wav"}', { "content-type": "application/json" })],
      [400, "INVALID_VALUE", listen("language=xx", WAV)],
      [400, "AUDIO_UNDECODABLE", listen("", "no audio")],
      [400, "AUDIO_UNDECODABLE", listen("", "")],
      [401, "INVALID_API_KEY", listen("", WAV, { authorization: "Token wrong" })],
      [413, "AUDIO_TOO_LARGE", listen("", new Uint8Array(LIMITS.asrFileBytes + 1))],
      [422, "INVALID_REQUEST", listen("sample_rate=x", WAV)],
    ];
    for (const [status, code, sent] of errors) {
      const response = await sent;
      assert.equal(response.status, status, code);
      const body = JSON.parse(await response.text());
      assert.deepEqual([body.err_code, body.request_id], [code, response.headers.get("x-trace-id")]);
      assert.equal(typeof body.err_msg, "string");
    }
    const path = await fetch(`${server.url}/v1/listen/nothing`, { method: "POST" });
    assert.equal(JSON.parse(await path.text()).err_code, "NOT_FOUND");
  });

  it("answers any query, type and body, and leaves no upload behind", async () => {
    const query = fc.dictionary(
      fc.constantFrom(
        ...["model", "language", "encoding", "sample_rate", "channels", "utterances", "paragraphs"],
        ...["keyterm", "keywords", "detect_language", "__proto__", "x"],
      ),
      fc.oneof(fc.string(), fc.constantFrom("true", "en", "linear16", "mulaw", "8000", "2")),
    );
    const body = fc.oneof(fc.uint8Array({ maxLength: 200 }), mutated(fc.constant(Buffer.from(WAV))));
    const type = fc.oneof(fc.constantFrom("audio/wav", "application/json", "multipart/form-data", "x"), fc.string());
    await fc.assert(
      fc.asyncProperty(query, type, body, async (pairs, given, bytes) => {
        // Clients refuse other characters in headers.
        const headers = { "content-type": given.replace(/[^\x20-\x7e]/g, "").trim() };
        const sent = String(new URLSearchParams(Object.entries(pairs)));
        const response = await listen(sent, Uint8Array.from(bytes), headers);
        const text = await response.text();
        assert.ok(response.status < 500, `${response.status} ${text}`);
        if (response.status >= 400) assert.equal(typeof JSON.parse(text).err_code, "string");
        assert.deepEqual(await uploads(server), []);
      }),
      { numRuns: fuzzRuns(50), seed: 11, endOnFailure: true },
    );
  });
});
