import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { DeepgramClient } from "@deepgram/sdk";
import { ElevenLabsClient } from "@elevenlabs/elevenlabs-js";
import { initializeLogger } from "@livekit/agents";
import { TTS as ElevenLabsTTS } from "@livekit/agents-plugin-elevenlabs";
import { STT, TTS } from "@livekit/agents-plugin-openai";
import { wavFile } from "../../packages/server/src/testing/wav-file.ts";
import { type RealServer, realServer } from "../clients/real-server.ts";
import { speakTurn } from "./agent-turn.ts";

const SENTENCE = "Good morning. How can I help you today?";
const EXPECTED = /good morning.*help you today/i;
/** Rachel, a voice of ElevenLabs that many programs name. */
const RACHEL = "21m00Tcm4TlvDq8ikWAM";

/** Published clients, unchanged: only their base URLs and keys are those of this server. They hear what they have spoken. */
describe("clients of other APIs, with real engines", () => {
  let server: RealServer;
  before(async () => {
    initializeLogger({ pretty: false, level: "silent" });
    server = await realServer();
  });

  it("the LiveKit agents plugin for OpenAI", async () => {
    const options = { apiKey: server.key, baseURL: `${server.url}/v1` };
    const tts = new TTS({ ...options, model: "gpt-4o-mini-tts", voice: "ash", instructions: "Be friendly." });
    const frames = [];
    for await (const { frame } of tts.synthesize(SENTENCE)) {
      assert.equal(frame.sampleRate, 24000);
      frames.push(frame);
    }
    await tts.close();
    assert.ok(frames.length > 10, `${frames.length} frames`);
    const stt = new STT({ ...options, model: "whisper-1", language: "en", useRealtime: false });
    const { alternatives } = await stt.recognize(frames);
    assert.match(alternatives?.[0]?.text ?? "", EXPECTED);
    await stt.close();
  });

  it("@elevenlabs/elevenlabs-js and @deepgram/sdk", async () => {
    const options = { apiKey: server.key, baseUrl: server.url };
    const elevenlabs = new ElevenLabsClient(options);
    const request = { text: SENTENCE, modelId: "eleven_flash_v2_5", outputFormat: "wav_24000" } as const;
    const { audioBase64, alignment } = await elevenlabs.textToSpeech.convertWithTimestamps(RACHEL, request);
    assert.equal(alignment?.characters.join("").trim(), SENTENCE);
    const recording = Buffer.from(audioBase64, "base64");
    const file = new Blob([recording], { type: "audio/wav" });
    const transcript = await elevenlabs.speechToText.convert({ file, modelId: "scribe_v1", languageCode: "en" });
    assert.ok("words" in transcript);
    assert.match(transcript.text, EXPECTED);
    const { words } = transcript;
    assert.ok(words.every(({ start = 0 }, index) => start >= (words[index - 1]?.start ?? 0)));

    const deepgram = new DeepgramClient(options);
    const query = { model: "nova-3", language: "en", smart_format: true } as const;
    const listened = await deepgram.listen.v1.media.transcribeFile(recording, query);
    assert.ok("results" in listened);
    assert.match(listened.results.channels[0]?.alternatives?.[0]?.transcript ?? "", EXPECTED);
  });

  it("the LiveKit agents plugin for ElevenLabs, over its socket", async () => {
    const tts = new ElevenLabsTTS({ apiKey: server.key, baseURL: `${server.url}/v1`, voiceId: RACHEL });
    const samples: number[] = [];
    let sampleRate = 0;
    for await (const { frame } of speakTurn(tts.stream(), SENTENCE)) {
      samples.push(...frame.data);
      sampleRate = frame.sampleRate;
    }
    await tts.close();
    const deepgram = new DeepgramClient({ apiKey: server.key, baseUrl: server.url });
    const recording = Buffer.from(wavFile(Int16Array.from(samples), sampleRate));
    const listened = await deepgram.listen.v1.media.transcribeFile(recording, { language: "en" });
    assert.ok("results" in listened);
    assert.match(listened.results.channels[0]?.alternatives?.[0]?.transcript ?? "", EXPECTED);
  });
});
