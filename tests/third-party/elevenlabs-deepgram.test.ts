import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { DeepgramClient } from "@deepgram/sdk";
import { ElevenLabsClient } from "@elevenlabs/elevenlabs-js";
import { initializeLogger } from "@livekit/agents";
import { TTS } from "@livekit/agents-plugin-elevenlabs";
import { startTestServer, TEST_KEY, type TestServer } from "../../packages/server/src/testing/test-server.ts";
import { burstSamples, wavFile } from "../../packages/server/src/testing/wav-file.ts";
import { runExample } from "../docs/run-example.ts";
import { speakTurn } from "./agent-turn.ts";

const SENTENCE = "The quick brown fox jumps over the lazy dog.";
const VOICE = "tone-one";
const RECORDING = wavFile(
  burstSamples(2, [
    { start: 0.5, end: 1, level: 40 },
    { start: 1.2, end: 1.5, level: 60 },
  ]),
  16_000,
);
const modules = "tests/third-party/node_modules";

/** Published clients, unchanged: only their base URLs point here. They need no speech, so tones are enough. */
describe("clients of ElevenLabs and Deepgram", () => {
  let server: TestServer;
  let elevenlabs: ElevenLabsClient;
  before(async () => {
    server = await startTestServer();
    elevenlabs = new ElevenLabsClient({ apiKey: TEST_KEY, baseUrl: server.url, maxRetries: 0 });
  });
  after(() => server.close());

  it("@elevenlabs/elevenlabs-js speaks, whole and streaming", async () => {
    const request = { text: "Good morning.", modelId: "eleven_flash_v2_5", voiceSettings: { speed: 1.1 } };
    const whole = await elevenlabs.textToSpeech.convert(VOICE, { ...request, outputFormat: "wav_24000" });
    assert.equal((await bytesOf(whole)).toString("latin1", 0, 4), "RIFF");
    const stream = await elevenlabs.textToSpeech.stream(VOICE, { ...request, outputFormat: "pcm_16000" });
    assert.equal((await bytesOf(stream)).length, 9600);
  });

  it("@elevenlabs/elevenlabs-js gets the time of each character", async () => {
    const request = { text: SENTENCE, outputFormat: "pcm_16000" } as const;
    const { alignment, audioBase64 } = await elevenlabs.textToSpeech.convertWithTimestamps(VOICE, request);
    assert.ok(alignment?.characters.join("").startsWith(SENTENCE));
    assert.equal(Buffer.from(audioBase64, "base64").length, 9600);
    const starts = alignment?.characterStartTimesSeconds ?? [];
    assert.ok(starts.every((start, index) => start >= (starts[index - 1] ?? 0)));
    let text = "";
    for await (const line of await elevenlabs.textToSpeech.streamWithTimestamps(VOICE, request)) {
      text += line.alignment?.characters.join("") ?? "";
    }
    assert.equal(text, alignment?.characters.join(""));
  });

  it("@elevenlabs/elevenlabs-js lists voices and models", async () => {
    const { voices } = await elevenlabs.voices.getAll();
    assert.ok(voices.some(({ name }) => name === VOICE));
    const page = await elevenlabs.voices.search({ pageSize: 2 });
    assert.equal(page.voices.length, 2);
    assert.equal((await elevenlabs.voices.get(VOICE)).name, VOICE);
    const [model] = await elevenlabs.models.list();
    assert.equal(model?.canDoTextToSpeech, true);
  });

  it("@elevenlabs/elevenlabs-js transcribes a recording with its words", async () => {
    const file = new Blob([RECORDING], { type: "audio/wav" });
    const result = await elevenlabs.speechToText.convert({ file, modelId: "scribe_v1", languageCode: "eng" });
    assert.ok("words" in result);
    assert.equal(result.text, "40 60");
    const words = result.words.filter(({ type }) => type === "word");
    assert.equal(words.length, 2);
  });

  it("the LiveKit plugin of ElevenLabs speaks two turns over one socket", async () => {
    initializeLogger({ pretty: false, level: "silent" });
    const tts = new TTS({ apiKey: TEST_KEY, baseURL: `${server.url}/v1`, voiceId: VOICE });
    for (const turn of ["Good morning. How can I help you today?", "It costs $3.50. Anything else?"]) {
      let samples = 0;
      for await (const audio of speakTurn(tts.stream(), turn)) samples += audio.frame.data.length;
      assert.ok(samples > 1000, `${samples} samples`);
    }
    await tts.close();
    const rounds = server.log.map((line) => JSON.parse(line)).filter(({ route }) => /multi-stream-input/.test(route));
    assert.deepEqual(
      rounds.map((round) => round.status),
      [200, 200],
    );
    assert.equal(new Set(rounds.map((round) => round.traceId)).size, 1, "both on one socket");
  });

  it("@deepgram/sdk transcribes a recording", async () => {
    const client = new DeepgramClient({ apiKey: TEST_KEY, baseUrl: server.url, maxRetries: 0 });
    const options = { model: "nova-3", smart_format: true, utterances: true, paragraphs: true } as const;
    const result = await client.listen.v1.media.transcribeFile(Buffer.from(RECORDING), options);
    assert.ok("results" in result);
    const alternative = result.results.channels[0]?.alternatives?.[0];
    assert.equal(alternative?.transcript, "40 60");
    assert.equal(alternative?.words?.at(-1)?.word, "60");
    assert.ok((result.results.utterances?.length ?? 0) >= 1);
  });

  it("@deepgram/sdk transcribes a stream, with the options that Pipecat sends", { timeout: 60_000 }, async () => {
    const client = new DeepgramClient({ apiKey: TEST_KEY, baseUrl: server.url.replace("http", "ws"), maxRetries: 0 });
    const socket = await client.listen.v1.connect({
      Authorization: `Token ${TEST_KEY}`,
      model: "nova-3-general",
      language: "en",
      encoding: "linear16",
      sample_rate: 16_000,
      channels: 1,
      interim_results: "true",
      smart_format: "false",
      punctuate: "true",
      profanity_filter: "true",
      vad_events: "true",
      reconnectAttempts: 0,
    });
    const transcripts: string[] = [];
    const types = new Set<string>();
    const ended = new Promise<void>((resolve, reject) => {
      socket.on("message", (message) => {
        types.add(message.type);
        if (message.type === "Results" && message.is_final && message.speech_final)
          transcripts.push(message.channel.alternatives[0]?.transcript ?? "");
        if (message.type === "Metadata") resolve();
      });
      socket.on("error", reject);
    });
    socket.connect();
    await socket.waitForOpen();
    const pcm = RECORDING.subarray(44);
    for (let at = 0; at < pcm.length; at += 3200) socket.sendMedia(pcm.slice(at, at + 3200));
    socket.sendKeepAlive({ type: "KeepAlive" });
    socket.sendFinalize({ type: "Finalize" });
    socket.sendCloseStream({ type: "CloseStream" });
    await ended;
    socket.close();
    assert.equal(transcripts.filter((text) => text !== "").join(" "), "40 60");
    assert.ok(types.has("SpeechStarted"), [...types].join(" "));
  });

  it("the examples of docs/elevenlabs.md and docs/deepgram.md run", async () => {
    const environment = { PARLANCE_URL: server.url, PARLANCE_API_KEY: TEST_KEY };
    const spoken = await runExample("docs/elevenlabs.md", ["hello.wav"], { environment, modules });
    assert.ok(spoken.read("hello.wav").length > 2000);
    const result = await runExample("docs/deepgram.md", [], { environment, modules, files: { "talk.wav": RECORDING } });
    assert.equal(result.stdout.trim(), "40 60");
  });
});

async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  return Buffer.from(await new Response(stream).arrayBuffer());
}
