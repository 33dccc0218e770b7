import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { initializeLogger } from "@livekit/agents";
import { TTS } from "@livekit/agents-plugin-fishaudio";
import { type RealServer, realServer } from "../clients/real-server.ts";
import { speakTurn } from "./agent-turn.ts";

/** The published plugin for voice agents, unchanged: only its base URL points here. */
describe("the LiveKit agents plugin", () => {
  let server: RealServer;
  let tts: TTS;
  let logged = 0;
  before(async () => {
    initializeLogger({ pretty: false, level: "silent" });
    server = await realServer();
    logged = server.log.length;
    tts = new TTS({ apiKey: server.key, baseURL: server.url, voiceId: server.voice });
  });
  after(() => tts.close());

  it("speaks two turns of an agent over one pooled socket", async () => {
    for (const turn of ["Good morning. How can I help you today?", "It costs $3.50. Anything else?"]) {
      let samples = 0;
      let power = 0;
      for await (const audio of speakTurn(tts.stream(), turn)) {
        assert.equal(audio.frame.sampleRate, 24000);
        for (const sample of audio.frame.data) power += (sample / 32768) ** 2;
        samples += audio.frame.data.length;
      }
      const seconds = samples / 24000;
      assert.ok(seconds > 1.2 && seconds < 8, `${seconds} s`);
      assert.ok(Math.sqrt(power / samples) > 0.01);
    }
    const lines = server.log.slice(logged).map((line) => JSON.parse(line));
    const rounds = lines.filter((line) => line.route === "/v1/tts/live");
    assert.deepEqual(
      rounds.map((round) => round.status),
      [200, 200],
    );
    assert.equal(new Set(rounds.map((round) => round.traceId)).size, 1, "both on one socket");
  });
});
