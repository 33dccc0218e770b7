import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import { Parlance, type Transcript } from "@parlance/client";
import fc from "fast-check";
import { createBurstTranscription } from "../../packages/server/src/testing/burst-transcription.ts";
import { startTestServer, TEST_KEY, type TestServer } from "../../packages/server/src/testing/test-server.ts";
import { type Burst, burstSamples, wavFile } from "../../packages/server/src/testing/wav-file.ts";
import { testModels } from "../../packages/speech/src/testing/models.ts";
import { wordErrors } from "../../packages/speech/src/testing/word-errors.ts";
import { type RealServer, startRealServer } from "./real-server.ts";

/** Exact positions in the joined transcript, with a server that recognizes bursts of noise. */
describe("a long recording", () => {
  let server: TestServer;
  let client: Parlance;
  let busy = 0;
  before(async () => {
    const transcription = createBurstTranscription({
      before: async () => {
        // Responses arrive in another order than the parts were sent.
        await new Promise((resolve) => setTimeout(resolve, (busy++ % 3) * 5));
      },
    });
    server = await startTestServer({ transcription, config: { concurrency: 3 } });
    client = new Parlance({ baseUrl: server.url, apiKey: TEST_KEY });
  });
  after(() => server.close());

  const burst = (pause: readonly [number, number], length: readonly [number, number]) =>
    fc.record({
      pause: fc.integer({ min: pause[0], max: pause[1] }),
      length: fc.integer({ min: length[0], max: length[1] }),
      level: fc.integer({ min: 2, max: 99 }),
    });
  /** A pause where the recording may be split, and then one burst or a few close bursts that must stay together. */
  const phrase = fc.oneof(
    burst([350, 1500], [30, 1200]).map((one) => [one]),
    fc
      .tuple(burst([350, 1500], [30, 250]), fc.array(burst([40, 100], [30, 250]), { minLength: 1, maxLength: 2 }))
      .map(([first, others]) => [first, ...others]),
  );
  /** Bursts with pauses between them, as a timeline. */
  const timeline = fc.array(phrase, { minLength: 20, maxLength: 50 }).map((phrases) => {
    let at = 0;
    const bursts: Burst[] = phrases.flat().map(({ pause, length, level }) => {
      const start = at + pause / 1000;
      at = start + length / 1000;
      return { start, end: at, level };
    });
    return { bursts, seconds: at + 0.5 };
  });

  it("is joined with every burst once, complete and at its original position", async () => {
    await fc.assert(
      fc.asyncProperty(timeline, fc.integer({ min: 10, max: 25 }), async ({ bursts, seconds }, partSeconds) => {
        const before = busy;
        const file = new Blob([wavFile(burstSamples(seconds, bursts), 16_000)]);
        const { segments, text, duration } = await client.asr.long(file, { partSeconds, concurrency: 4 });
        if (file.size > 600_000 && seconds > partSeconds) assert.ok(busy - before > 1, "it was sent in parts");
        assert.ok(Math.abs(duration - seconds) < 0.001);
        assert.deepEqual(
          segments.map((segment) => segment.text),
          bursts.map(({ level }) => String(level)),
        );
        for (const [index, { start, end }] of segments.entries()) {
          const burst = bursts[index];
          const error = Math.max(Math.abs(start - (burst?.start ?? 0)), Math.abs(end - (burst?.end ?? 0)));
          assert.ok(error < 0.0015, `burst ${index} is ${error} s off`);
        }
        assert.equal(text, bursts.map(({ level }) => level).join(" "));
      }),
      { numRuns: 12 },
    );
  });
});

/** Three minutes of real speech in parts, with a real recognizer. */
describe("a long recording of speech", { timeout: 600_000 }, () => {
  let server: RealServer;
  before(async () => {
    server = await startRealServer();
  });
  after(() => server.close());

  it("has the same words and times as the undivided recording", async () => {
    const models = await testModels("test-speech");
    const clips = ["0870", "0880", "0890", "0920", "0930"];
    const folder = "librivox/sense_and_sensibility_01_austen_64kb-";
    const [sounds, texts] = await Promise.all([
      Promise.all(clips.map((clip) => readFile(models.path("test-speech", `${folder}${clip}.wav`)))),
      Promise.all(clips.map((clip) => readFile(models.path("test-speech", `${folder}${clip}.txt`), "utf8"))),
    ]);
    const once = Buffer.concat(sounds.map((sound) => sound.subarray(44)));
    const times = 8;
    const pcm = Buffer.concat(Array.from({ length: times }, () => once));
    const samples = new Int16Array(pcm.buffer.slice(pcm.byteOffset, pcm.byteOffset + pcm.length));
    const file = new Blob([wavFile(samples, 16_000)]);

    const client = new Parlance({ baseUrl: server.url, apiKey: server.key });
    const progress: number[] = [];
    const transcript: Transcript = await client.asr.long(file, {
      language: "en",
      granularity: "word",
      partSeconds: 45,
      onProgress: ({ seconds }) => progress.push(seconds),
    });
    const spoken = Array.from({ length: times }, () => texts.map((text) => text.trim()).join(" ")).join(" ");
    const { errors, words } = wordErrors(spoken, transcript.text);
    assert.ok(errors / words <= 0.06, `${errors} of ${words} words`);
    assert.ok(Math.abs(transcript.duration - samples.length / 16_000) < 0.002);
    assert.ok(progress.length >= 4, `${progress.length} parts`);
    assert.equal(transcript.language, "en");
    let before = 0;
    for (const { text, start, end } of transcript.segments) {
      assert.ok(start >= before - 0.001 && end >= start && end <= transcript.duration, `${text}: ${start} to ${end}`);
      before = start;
    }
    // The same clip is repeated: its words are at the same positions each time. Full stops and capitals may differ
    // where a part begins in the middle of a sentence.
    const period = once.length / 2 / 16_000;
    const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}']/gu, "");
    const first = transcript.segments.filter(({ start }) => start < period);
    for (let turn = 1; turn < times; turn += 1) {
      const placed = first.filter(({ text, start }) =>
        transcript.segments.some(
          (other) => bare(other.text) === bare(text) && Math.abs(other.start - start - turn * period) < 0.3,
        ),
      );
      assert.ok(placed.length >= first.length * 0.9, `turn ${turn}: ${placed.length} of ${first.length} words`);
    }
  });
});
