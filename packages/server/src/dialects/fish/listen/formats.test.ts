import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createEncoder } from "@parlance/speech";
import { connectListen } from "../../../testing/listen-client.ts";
import { startTestServer, type TestServer } from "../../../testing/test-server.ts";
import { burstSamples } from "../../../testing/wav-file.ts";

const SECONDS = 3;
const bursts = [
  { start: 0.5, end: 1, level: 40 },
  { start: 1.6, end: 1.9, level: 60 },
];

async function encoded(format: "pcm" | "ulaw" | "alaw" | "opus", sampleRate: number): Promise<Buffer> {
  const samples = burstSamples(SECONDS, bursts, sampleRate);
  if (format === "pcm") return Buffer.from(samples.buffer);
  const encoder = createEncoder({ format, sampleRate, mp3Bitrate: 64, opusBitrate: "auto" });
  const values = Float32Array.from(samples, (sample) => sample / 32_768);
  return Buffer.concat([await encoder.encode(values), await encoder.finish()]);
}

describe("the audio of WS /v1/asr/live", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  for (const [format, sampleRate] of [
    ["pcm", 8000],
    ["pcm", 11_025],
    ["pcm", 24_000],
    ["pcm", 44_100],
    ["pcm", 96_000],
    ["ulaw", 8000],
    ["alaw", 8000],
    ["opus", 48_000],
  ] as const) {
    it(`may be ${format} at ${sampleRate} Hz, divided anywhere`, async () => {
      const audio = await encoded(format, sampleRate);
      const client = await connectListen(server.url);
      const request = { format, sample_rate: sampleRate, language: "en", end_of_turn: "silence", silence_ms: 300 };
      client.send({ event: "start", request });
      // No whole number of samples.
      for (let at = 0; at < audio.length; at += 1237)
        client.send({ event: "audio", audio: audio.subarray(at, at + 1237) });
      client.send({ event: "stop" });
      const { messages, code } = await client.rest();
      assert.equal(code, 1000);
      const times = messages.flatMap((frame) =>
        frame.event === "speech_started" || frame.event === "speech_stopped" ? [frame.time] : [],
      );
      const expected = bursts.flatMap(({ start, end }) => [start, end]);
      assert.equal(times.length, expected.length);
      for (const [index, time] of expected.entries())
        assert.ok(Math.abs((times[index] ?? 0) - time) < 0.07, JSON.stringify(times));
      assert.equal(messages.filter(({ event }) => event === "segment").length, bursts.length);
      const finish = messages.at(-1);
      assert.ok(finish?.event === "finish" && Math.abs((finish.duration ?? 0) - SECONDS) < 0.1);
    });
  }
});
