import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { LIMITS } from "@parlance/protocol";
import { startTestServer, type TestServer } from "../../../testing/test-server.ts";
import { createToneSpeech, TONE_VOICES } from "../../../testing/tone-speech.ts";

describe("SSML in a request", () => {
  const speech = createToneSpeech();
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ speech });
  });
  after(() => server.close());

  const send = (body: string | Uint8Array, query = "?format=pcm", path = "/v1/tts") =>
    server.post(body, { path: path + query, headers: { "content-type": "application/ssml+xml; charset=utf-8" } });
  const spoken = async (response: Response) => {
    assert.equal(response.status, 200, await response.clone().text());
    await response.arrayBuffer();
    return speech.jobs.at(-1)?.request ?? assert.fail("nothing was spoken");
  };

  it("becomes a text with marks, and the query has the other fields", async () => {
    const response = await send(
      '<speak>Hello <break time="800ms"/><emphasis>you</emphasis>, <sub alias="okay">OK</sub>?</speak>',
      "?format=wav&sample_rate=16000&speed=1.5&seed=7&normalize=false&reference_id=tone-two",
    );
    assert.equal(response.headers.get("content-type"), "audio/wav");
    assert.equal(response.headers.get("x-ssml-ignored"), "emphasis");
    const request = await spoken(response);
    assert.equal(request.text, "Hello [break 800ms] you, okay?");
    const { speed, seed, normalizeText, output, voices } = request;
    assert.deepEqual([speed, seed, normalizeText, output.sampleRate], [1.5, 7, false, 16000]);
    assert.deepEqual(
      voices.map(({ id }) => id),
      [TONE_VOICES[1]?.id],
    );
  });

  it("names its voices, and the default voice speaks the rest", async () => {
    const request = await spoken(await send('<speak>A <voice name="tone-three">B</voice> C</speak>'));
    assert.equal(request.text, "A <|speaker:1|>B <|speaker:0|>C");
    assert.deepEqual(
      request.voices.map(({ id }) => id),
      [TONE_VOICES[0]?.id, TONE_VOICES[2]?.id],
    );
    const only = await spoken(await send('<speak><voice name="tone-three">B</voice></speak>'));
    assert.deepEqual([only.text, only.voices.map(({ id }) => id)], ["B", [TONE_VOICES[2]?.id]]);
  });

  it("works with the times of words, and with the model in the query", async () => {
    const response = await server.post("<speak>Hello there</speak>", {
      path: "/v1/tts/stream/with-timestamp?model=piper&format=pcm",
      headers: { "content-type": "application/ssml+xml", model: undefined },
    });
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("x-model"), "piper");
    assert.match(await response.text(), /"text":"there"/);
  });

  for (const [name, body, message] of [
    ["an unclosed tag", "<speak>\n<p>secret", /line 2, column 9: unclosed tag: p/],
    ["a document type", '<!DOCTYPE speak SYSTEM "http://127.0.0.1/x"><speak/>', /line 1, column 44: a document type/],
    ["an unknown entity", "<speak>&secret;</speak>", /line 1, column 15: /],
    ["too many levels", `<speak>${"<p>".repeat(40)}`, /nested more than 32 deep/],
    ["bytes that are not UTF-8", Uint8Array.of(0x3c, 0xff), /not UTF-8/],
    ["nothing", "", /line 1, column 1/],
  ] as const) {
    it(`answers ${name} with 422 and its place`, async () => {
      const response = await send(body);
      assert.equal(response.status, 422);
      const [issue] = (await response.json()) as { loc: string[]; type: string; msg: string }[];
      assert.deepEqual([issue?.loc, issue?.type], [["body"], "ssml_invalid"]);
      assert.match(issue?.msg ?? "", message);
    });
  }

  it("answers other faults as those of other bodies", async () => {
    for (const [body, query, status, code] of [
      ["<speak>a</speak>", "?format=midi", 400, "invalid_value"],
      ["<speak>a</speak>", "?speed=fast", 422, "invalid_request"],
      ['<speak><voice name="nobody">a</voice></speak>', "", 400, "unknown_voice"],
      [`<speak>${"a".repeat(LIMITS.textCharacters + 1)}</speak>`, "", 400, "text_too_long"],
      [`<speak>${" ".repeat(LIMITS.ssml.bytes)}</speak>`, "", 413, "payload_too_large"],
    ] as const) {
      const response = await send(body, query);
      assert.equal(response.headers.get("x-error-code"), code, await response.text());
      assert.equal(response.status, status);
    }
    const design = await server.post("<speak>a</speak>", {
      path: "/v1/voice-design",
      headers: { "content-type": "application/ssml+xml" },
    });
    assert.equal(design.status, 415);
  });
});
