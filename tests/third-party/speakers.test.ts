import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { DeepgramClient } from "@deepgram/sdk";
import { ElevenLabsClient } from "@elevenlabs/elevenlabs-js";
import OpenAI, { toFile } from "openai";
import { startTestServer, TEST_KEY, type TestServer } from "../../packages/server/src/testing/test-server.ts";
import { burstSamples, wavFile } from "../../packages/server/src/testing/wav-file.ts";

/** Two people take turns: a burst of each level is a voice. */
const RECORDING = wavFile(
  burstSamples(3, [
    { start: 0.2, end: 0.8, level: 40 },
    { start: 1, end: 1.6, level: 60 },
    { start: 1.8, end: 2.4, level: 40 },
  ]),
  16_000,
);

/** Published clients, unchanged: they read the speakers of a transcript where their own service writes them. */
describe("clients of other APIs with speaker diarization", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  it("@deepgram/sdk: words and utterances have a number", async () => {
    const client = new DeepgramClient({ apiKey: TEST_KEY, baseUrl: server.url, maxRetries: 0 });
    for (const wanted of [{ diarize: true }, { diarize_model: "latest" }] as const) {
      const options = { model: "nova-3", utterances: true, ...wanted } as const;
      const result = await client.listen.v1.media.transcribeFile(Buffer.from(RECORDING), options);
      assert.ok("results" in result);
      const words = result.results.channels[0]?.alternatives?.[0]?.words ?? [];
      assert.deepEqual(
        words.map(({ word, speaker }) => [word, speaker]),
        [
          ["40", 0],
          ["60", 1],
          ["40", 0],
        ],
      );
      assert.deepEqual(
        result.results.utterances?.map(({ speaker }) => speaker),
        [0, 1, 0],
      );
    }
  });

  it("openai: diarized_json, whole and as events, with the name of a known speaker", async () => {
    const client = new OpenAI({ apiKey: TEST_KEY, baseURL: `${server.url}/v1`, maxRetries: 0 });
    const request = { model: "gpt-4o-transcribe-diarize", response_format: "diarized_json" } as const;
    const file = () => toFile(Buffer.from(RECORDING), "talk.wav");
    const reference = `data:audio/wav;base64,${Buffer.from(RECORDING).toString("base64")}`;
    const known = { known_speaker_names: ["agent"], known_speaker_references: [reference] };
    // The types of the client have this form for events only.
    const whole: unknown = await client.audio.transcriptions.create({ ...request, ...known, file: await file() });
    const { segments, text, duration } = whole as OpenAI.Audio.TranscriptionDiarized;
    assert.deepEqual([text, duration], ["40 60 40", 3]);
    assert.deepEqual(
      segments.map(({ speaker, text: spoken }) => [speaker, spoken]),
      [
        ["agent", "40"],
        ["A", "60"],
        ["agent", "40"],
      ],
    );
    const events = await client.audio.transcriptions.create({ ...request, file: await file(), stream: true });
    const speakers: string[] = [];
    for await (const event of events) if (event.type === "transcript.text.segment") speakers.push(event.speaker);
    assert.deepEqual(speakers, ["A", "B", "A"]);
  });

  it("@elevenlabs/elevenlabs-js: words have a speaker", async () => {
    const client = new ElevenLabsClient({ apiKey: TEST_KEY, baseUrl: server.url, maxRetries: 0 });
    const file = new Blob([RECORDING], { type: "audio/wav" });
    const result = await client.speechToText.convert({ file, modelId: "scribe_v1", diarize: true, numSpeakers: 2 });
    assert.ok("words" in result);
    assert.deepEqual(
      result.words.filter(({ type }) => type === "word").map(({ speakerId }) => speakerId),
      ["speaker_0", "speaker_1", "speaker_0"],
    );
  });
});
