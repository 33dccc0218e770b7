import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { VoiceDesignResponse } from "@parlance/protocol";
import { addMember } from "../../../testing/member.ts";
import { startTestServer, TEST_KEY, type TestServer } from "../../../testing/test-server.ts";
import { createToneSpeech, TONE_VOICES, type ToneSpeech } from "../../../testing/tone-speech.ts";

const VOICES = TONE_VOICES.map((voice) => ({ ...voice, slug: voice.slug.replace("-", "_") }));

describe("POST /v1/voice-design", () => {
  let speech: ToneSpeech;
  let server: TestServer;
  before(async () => {
    speech = createToneSpeech({ voices: VOICES });
    server = await startTestServer({ speech });
  });
  after(() => server.close());

  const send = (body: unknown, headers: Record<string, string> = {}, target = server) =>
    fetch(`${target.url}/v1/voice-design`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${TEST_KEY}`,
        "content-type": "application/json",
        model: "voice-design-1",
        ...headers,
      },
      body: JSON.stringify(body),
    });
  const design = async (body: unknown) => {
    const response = await send(body);
    assert.equal(response.status, 200, await response.clone().text());
    return (await response.json()) as VoiceDesignResponse;
  };

  it("returns previews as WAV files with their size, and says what it has understood", async () => {
    const response = await send({ instruction: "A calm young woman", reference_text: "Hello there.", n: 3, seed: 42 });
    assert.equal(response.headers.get("x-model"), "voice-design-1");
    assert.match(response.headers.get("ratelimit-limit-concurrency") ?? "", /^\d+$/);
    const { candidates } = (await response.json()) as VoiceDesignResponse;
    assert.deepEqual(
      candidates.map(({ index }) => index),
      [0, 1, 2],
    );
    assert.equal(new Set(candidates.map(({ id }) => id)).size, 3);
    for (const { audio_base64, sample_rate, duration_ms, text, instruct, language } of candidates) {
      const wav = Buffer.from(audio_base64, "base64");
      assert.equal(wav.readUInt32LE(4), wav.length - 8);
      assert.equal(wav.readUInt32LE(40), wav.length - 44);
      assert.equal(duration_ms, Math.round(((wav.length - 44) / 2 / sample_rate) * 1000));
      assert.deepEqual([text, instruct, language], ["Hello there.", "female, young, calm", "en-US"]);
    }
  });

  it("needs nothing but the instruction: two previews of a sentence in the language", async () => {
    const { candidates } = await design({ instruction: "anything", reference_text: null, seed: null });
    assert.equal(candidates.length, 2);
    assert.match(candidates[0]?.text ?? "", /^Hello there\./);
  });

  it("makes ids that speak as reference_id, with pitch and pace", async () => {
    const { candidates } = await design({ instruction: "a slow old woman", n: 1 });
    const id = candidates[0]?.id ?? assert.fail("no candidate");
    const response = await server.post({ text: "Hi.", reference_id: id, format: "pcm" });
    assert.equal(response.status, 200);
    await response.arrayBuffer();
    const [voice] = speech.jobs.at(-1)?.request.voices ?? [];
    assert.equal(voice?.id, id);
    assert.ok(voice?.mix && voice.mix.pace < 1 && voice.mix.parts.length === 2);
    assert.equal((await server.post({ text: "Hi.", reference_id: `${id}0` })).status, 400);
  });

  it("charges for the spoken texts, and nothing for a refused request", async () => {
    const member = await addMember(server);
    const [before] = await member.balances();
    const headers = { ...member.headers };
    assert.equal((await send({ instruction: "a man", n: 9 }, headers)).status, 400);
    assert.deepEqual((await member.balances())[0], before);
    const response = await send({ instruction: "a man", reference_text: "Hello there.", n: 3 }, headers);
    assert.equal(response.status, 200);
    const one = await server.post({ text: "Hello there.", format: "pcm" }, { headers });
    await one.arrayBuffer();
    const spent = before - (await member.balances())[0];
    assert.ok(spent > 0 && spent % 4 === 0, `${spent} credits for four texts`);
  });

  const refused: readonly (readonly [string, unknown, number, RegExp])[] = [
    ["no instruction", {}, 422, /instruction.*required/],
    ["an unknown field", { instruction: "a man", extra: 1 }, 422, /extra.*Unknown field/],
    ["a long instruction", { instruction: "a".repeat(2001) }, 400, /instruction: 2001 characters/],
    ["a long text", { instruction: "a man", reference_text: "a".repeat(151) }, 400, /reference_text: 151 characters/],
    ["too many previews", { instruction: "a man", n: 5 }, 400, /n: 5/],
    ["half a preview", { instruction: "a man", n: 1.5 }, 422, /integer/],
    ["no speed", { instruction: "a man", speed: 0 }, 400, /speed: 0.*above 0/],
    ["a language without a voice", { instruction: "a man", language: "xx" }, 400, /language: .*en-US/],
  ];
  for (const [name, body, status, message] of refused) {
    it(`refuses ${name}`, async () => {
      const response = await send(body);
      assert.equal(response.status, status);
      assert.match(await response.text(), message);
    });
  }

  it("needs the model, unless there is a default one", async (context) => {
    assert.equal((await send({ instruction: "a man" }, { model: "" })).status, 422);
    assert.equal((await send({ instruction: "a man" }, { model: "s2-pro" })).status, 400);
    assert.equal((await send({ instruction: "a man" }, { authorization: "" })).status, 401);
    const lenient = await startTestServer({ speech, config: { defaultModel: "s2-pro" } });
    context.after(() => lenient.close());
    assert.equal((await send({ instruction: "a man" }, { model: "" }, lenient)).status, 200);
  });
});
