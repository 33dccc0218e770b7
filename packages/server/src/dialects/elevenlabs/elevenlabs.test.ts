import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { LIMITS } from "@parlance/protocol";
import fc from "fast-check";
import { fuzzRuns } from "../../testing/fuzz-runs.ts";
import { startTestServer, TEST_KEY, type TestServer } from "../../testing/test-server.ts";
import { createToneSpeech } from "../../testing/tone-speech.ts";
import { until } from "../../testing/until.ts";
import { burstSamples, wavFile } from "../../testing/wav-file.ts";

const KEY = { "xi-api-key": TEST_KEY };
const BURSTS = [
  { start: 0.5, end: 1, level: 40 },
  { start: 1.2, end: 1.5, level: 60 },
];

describe("the API of ElevenLabs", () => {
  const speech = createToneSpeech({ splitText: true, parts: 2 });
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ speech });
  });
  after(() => server.close());

  const speak = (path: string, body: unknown, headers: Record<string, string> = KEY) =>
    fetch(`${server.url}/v1/text-to-speech/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  const get = async (path: string, headers: Record<string, string> = KEY) => {
    const response = await fetch(server.url + path, { headers });
    return { status: response.status, body: await response.text() };
  };

  it("speaks with the settings that have a meaning here", async () => {
    for (const path of ["tone-two", "tone-two/stream"]) {
      const response = await speak(`${path}?output_format=pcm_16000&optimize_streaming_latency=3`, {
        text: "Hello there.",
        model_id: "eleven_flash_v2_5",
        voice_settings: { speed: 1.1, stability: 0.5, similarity_boost: 0.7 },
        apply_text_normalization: "off",
        seed: 7,
        previous_text: "Before.",
      });
      assert.equal(response.status, 200);
      assert.equal((await response.arrayBuffer()).byteLength, 6400);
      const { request } = speech.jobs.at(-1) ?? {};
      assert.equal(request?.voices[0]?.id.at(-1), "2");
      assert.deepEqual(
        [request?.speed, request?.normalizeText, request?.seed, request?.output.sampleRate],
        [1.1, false, 7, 16_000],
      );
    }
  });

  it("passes the bit rates of its formats to the encoders", async () => {
    for (const [format, expected] of [
      ["mp3_22050_32", { format: "mp3", sampleRate: 22_050, mp3Bitrate: 32 }],
      ["opus_48000_96", { format: "opus", sampleRate: 48_000, opusBitrate: 96_000 }],
      ["ulaw_8000", { format: "ulaw", sampleRate: 8000 }],
      ["wav_24000", { format: "wav", sampleRate: 24_000 }],
    ] as const) {
      await (await speak(`tone-one?output_format=${format}`, { text: "x" })).arrayBuffer();
      const output = speech.jobs.at(-1)?.request.output;
      assert.deepEqual({ ...output, ...expected }, output, format);
    }
  });

  it("has the time of each character, whole and as lines", async () => {
    const text = "Hello there you.";
    const whole = await speak("tone-one/with-timestamps?output_format=pcm_16000", { text });
    const { audio_base64: audio, alignment, normalized_alignment: normalized } = JSON.parse(await whole.text());
    assert.equal(Buffer.from(audio, "base64").length, 6400);
    assert.equal(alignment.characters.join(""), text);
    assert.equal(alignment.character_start_times_seconds[0], 0);
    assert.equal(alignment.character_end_times_seconds.at(-1), 0.2);
    assert.deepEqual(normalized, alignment);

    const stream = await speak("tone-one/stream/with-timestamps?output_format=pcm_16000", { text });
    const lines = (await stream.text())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const bytes = lines.reduce((sum, line) => sum + Buffer.from(line.audio_base64, "base64").length, 0);
    assert.equal(bytes, 6400);
    assert.equal(lines.flatMap((line) => line.alignment?.characters ?? []).join(""), text);
    const starts = lines.flatMap((line) => line.alignment?.character_start_times_seconds ?? []);
    assert.deepEqual(starts, alignment.character_start_times_seconds);
  });

  it("lists and finds voices and models", async () => {
    const { voices } = JSON.parse((await get("/v1/voices")).body);
    assert.deepEqual(voices.map((voice: { readonly name: string }) => voice.name).sort(), [
      "tone-one",
      "tone-three",
      "tone-two",
    ]);
    const first = JSON.parse((await get("/v2/voices?page_size=2")).body);
    assert.deepEqual(
      [first.voices.length, first.has_more, first.total_count, first.next_page_token],
      [2, true, 3, "2"],
    );
    const second = JSON.parse((await get("/v2/voices?page_size=2&next_page_token=2")).body);
    assert.deepEqual([second.voices.length, second.has_more], [1, false]);
    const premade = JSON.parse((await get("/v1/voices/21m00Tcm4TlvDq8ikWAM")).body);
    assert.equal(
      premade.voice_id,
      "21m00Tcm4TlvDq8ikWAM",
      "an id of ElevenLabs is that of the voice that speaks for it",
    );
    assert.ok(premade.name.length > 0);
    const found = JSON.parse((await get("/v1/voices/tone-two")).body);
    assert.deepEqual([found.name, found.category, found.is_owner], ["tone-two", "premade", false]);
    const [model] = JSON.parse((await get("/v1/models")).body);
    assert.equal(model.can_do_text_to_speech, true);
  });

  it("transcribes with words and the spaces between them", async () => {
    const form = new FormData();
    form.append("file", new Blob([wavFile(burstSamples(2, BURSTS), 16_000)]), "talk.wav");
    form.append("model_id", "scribe_v1");
    form.append("language_code", "fra");
    const response = await fetch(`${server.url}/v1/speech-to-text`, { method: "POST", headers: KEY, body: form });
    const result = JSON.parse(await response.text());
    assert.deepEqual([result.text, result.language_code, result.audio_duration_secs], ["40 60", "fr", 2]);
    assert.deepEqual(
      result.words.map(({ text, type }: { readonly text: string; readonly type: string }) => [text, type]),
      [
        ["40", "word"],
        [" ", "spacing"],
        ["60", "word"],
      ],
    );
    form.append("source_url", "https://example.org/talk.wav");
    const refused = await fetch(`${server.url}/v1/speech-to-text`, { method: "POST", headers: KEY, body: form });
    assert.equal(refused.status, 400);
    assert.match(await refused.text(), /source_url.*sends no requests/);
    form.delete("source_url");
    form.append("file_format", "pcm_s16le_16");
    const raw = await fetch(`${server.url}/v1/speech-to-text`, { method: "POST", headers: KEY, body: form });
    assert.deepEqual([raw.status, /file_format.*header/.test(await raw.text())], [400, true]);
  });

  it("has its own shape for every error", async () => {
    const errors: readonly (readonly [number, string, Promise<Response>])[] = [
      [400, "invalid_value", speak("tone-one?output_format=mp3_1_1", { text: "x" })],
      [400, "unknown_voice", speak("nobody", { text: "x" })],
      [401, "invalid_api_key", speak("tone-one", { text: "x" }, { "xi-api-key": "wrong" })],
      [401, "missing_api_key", speak("tone-one", { text: "x" }, {})],
      [404, "not_found", speak("tone-one/nothing", { text: "x" })],
      [413, "payload_too_large", speak("tone-one", { text: "x".repeat(LIMITS.ttsBodyBytes) })],
    ];
    for (const [status, code, sent] of errors) {
      const response = await sent;
      assert.equal(response.status, status, code);
      const { detail } = JSON.parse(await response.text());
      assert.equal(detail.status, code);
      assert.equal(typeof detail.message, "string");
    }
    const shape = await speak("tone-one", { text: 5 });
    assert.equal(shape.status, 422);
    assert.deepEqual(JSON.parse(await shape.text()).detail[0].loc, ["body", "text"]);
    assert.equal(JSON.parse((await get("/v1/voices/nobody")).body).detail.status, "voice_not_found");
  });

  it("answers any query and body, and leaves no work behind", async () => {
    const body = fc.oneof(
      fc.jsonValue(),
      fc.record({
        text: fc.oneof(fc.string(), fc.constant("Words.")),
        voice_settings: fc.oneof(
          fc.jsonValue(),
          fc.record({ speed: fc.double({ noNaN: true, noDefaultInfinity: true }) }),
        ),
        language_code: fc.oneof(fc.string(), fc.constant("en")),
        seed: fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })),
      }),
    );
    const path = fc.constantFrom("", "/stream", "/with-timestamps", "/stream/with-timestamps");
    const format = fc.oneof(fc.constantFrom("pcm_16000", "wav_8000", "mp3_44100_128"), fc.string());
    await fc.assert(
      fc.asyncProperty(path, format, body, async (suffix, name, value) => {
        const response = await speak(`tone-one${suffix}?output_format=${encodeURIComponent(name)}`, value);
        await response.arrayBuffer().catch(() => {});
        // The tone engine has no encoder for mp3, which is also the format of requests without one.
        assert.ok(response.status < 500 || name === "" || name.startsWith("mp3"), `${response.status}`);
      }),
      { numRuns: fuzzRuns(50) },
    );
    await until(() => server.activeRequests.size === 0);
  });
});
