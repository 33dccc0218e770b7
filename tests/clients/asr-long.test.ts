import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Parlance } from "@parlance/client";
import fc from "fast-check";
import { createBurstTranscription } from "../../packages/server/src/testing/burst-transcription.ts";
import { startTestServer, TEST_KEY, type TestServer } from "../../packages/server/src/testing/test-server.ts";
import { type Burst, burstSamples, wavFile } from "../../packages/server/src/testing/wav-file.ts";

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
