import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { type Part, splitAtSilences } from "./split.ts";

const RATE = 1000;

async function* inPieces(samples: Float32Array, size: number): AsyncGenerator<Float32Array> {
  for (let at = 0; at < samples.length; at += size) yield samples.slice(at, at + size);
}

async function split(samples: Float32Array, maxSeconds: number, piece = 777): Promise<Part[]> {
  const parts: Part[] = [];
  for await (const part of splitAtSilences(inPieces(samples, piece), { sampleRate: RATE, maxSeconds }))
    parts.push(part);
  return parts;
}

describe("a recording that is split", () => {
  it("is complete, in parts within the length limits", async () => {
    const lengths = fc.integer({ min: 1, max: 90_000 });
    const pieces = fc.integer({ min: 1, max: 20_000 });
    const most = fc.integer({ min: 10, max: 40 });
    await fc.assert(
      fc.asyncProperty(lengths, pieces, most, fc.integer(), async (length, piece, maxSeconds, seed) => {
        let state = seed >>> 0;
        const samples = Float32Array.from({ length }, (_, i) => {
          state = (state * 1664525 + 1013904223) >>> 0;
          return (Math.sin(i / 3000) * ((state >>> 8) - 2 ** 23)) / 2 ** 23;
        });
        const parts = await split(samples, maxSeconds, piece);
        let at = 0;
        for (const [index, part] of parts.entries()) {
          assert.equal(part.index, index);
          assert.equal(part.start, at);
          assert.ok(part.samples.length <= maxSeconds * RATE, `part of ${part.samples.length}`);
          if (parts.length > 1) assert.ok(part.samples.length >= 3 * RATE, `part of ${part.samples.length}`);
          for (const [i, value] of part.samples.entries()) {
            const was = Math.max(-32768, Math.min(32767, Math.round((samples[at + i] ?? 0) * 32768)));
            if (value !== was) assert.fail(`sample ${at + i}: ${value}, ${was}`);
          }
          at += part.samples.length;
        }
        assert.equal(at, length);
        assert.deepEqual(await split(samples, maxSeconds, 500), parts);
      }),
      { numRuns: 40 },
    );
  });

  it("is cut at pauses", async () => {
    // Words of 0.7 s, a pause of 0.4 s after every seventh: as in an audiobook.
    const words = Float32Array.from({ length: 100 * RATE }, (_, i) => {
      const inWord = i % 800 < 700;
      const inPause = i % 5600 >= 5200;
      return inWord && !inPause ? 0.5 * Math.sin(i) : 0.001 * Math.sin(i);
    });
    const parts = await split(words, 20);
    assert.ok(parts.length >= 5 && parts.length <= 10, `${parts.length} parts`);
    for (const { start } of parts.slice(1)) {
      const place = start % 5600;
      assert.ok(place >= 5200 && place < 5600, `cut at ${start}, which is ${place} in its phrase`);
    }
  });
});
