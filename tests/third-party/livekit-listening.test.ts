import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { initializeLogger, stt as livekit } from "@livekit/agents";
import { STT, TTS } from "@livekit/agents-plugin-openai";
import { AudioFrame } from "@livekit/rtc-node";
import { type RealServer, realServer } from "../clients/real-server.ts";

/** The published plugin, unchanged: it streams audio to `/v1/realtime?intent=transcription`. */
describe("the LiveKit agents plugin for OpenAI, live", () => {
  let server: RealServer;
  before(async () => {
    initializeLogger({ pretty: false, level: "silent" });
    server = await realServer();
  });

  it("transcribes a turn while it is spoken", async () => {
    const options = { apiKey: server.key, baseURL: `${server.url}/v1` };
    const tts = new TTS({ ...options, model: "gpt-4o-mini-tts", voice: "ash" });
    const frames: AudioFrame[] = [];
    for await (const { frame } of tts.synthesize("Good morning. How can I help you today?")) frames.push(frame);
    await tts.close();
    const stt = new STT({ ...options, model: "gpt-4o-mini-transcribe", language: "en", useRealtime: true });
    const stream = stt.stream();
    for (const frame of frames) stream.pushFrame(frame);
    // Two seconds of silence end the turn.
    for (let count = 0; count < 20; count++) stream.pushFrame(new AudioFrame(new Int16Array(2400), 24_000, 1, 2400));
    const types: livekit.SpeechEventType[] = [];
    const text: string[] = [];
    for await (const event of stream) {
      types.push(event.type);
      if (event.type !== livekit.SpeechEventType.FINAL_TRANSCRIPT) continue;
      text.push(event.alternatives?.[0]?.text ?? "");
      if (/today/i.test(text.join(" "))) break;
    }
    stream.close();
    await stt.close();
    assert.match(text.join(" "), /good morning.*help you today/i);
    assert.equal(types[0], livekit.SpeechEventType.START_OF_SPEECH);
    assert.ok(types.includes(livekit.SpeechEventType.END_OF_SPEECH));
  });
});
