import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createEncoder } from "../../audio/index.ts";
import { AudioError } from "../../errors.ts";
import { bytesOf } from "../../testing/burst-workers.ts";
import { pieces, tone } from "../../testing/signals.ts";
import { createFrameDecoder } from "./frame-decoder.ts";

function decode(bytes: Uint8Array, format: Parameters<typeof createFrameDecoder>[0], sizes: readonly number[] = []) {
  const decoder = createFrameDecoder(format);
  const parts = pieces(Float32Array.from(bytes), sizes).map((piece) => decoder.push(Uint8Array.from(piece)));
  return [...parts, decoder.end()].flatMap((part) => [...part]);
}

test("16-bit samples may be divided anywhere", () => {
  const samples = Int16Array.from({ length: 500 }, (_, index) => (index * 131) % 32768);
  const sizes = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(sizes, (cut) => {
      assert.deepEqual(decode(bytesOf(samples), { encoding: "pcm_s16le", sampleRate: 16_000 }, cut), [...samples]);
    }),
    { numRuns: 50 },
  );
});

for (const encoding of ["mulaw", "alaw"] as const) {
  test(`${encoding} decodes what the encoder of speech wrote, at twice its rate`, async () => {
    const input = tone(8000, 0.5, 440);
    const encoder = createEncoder({
      format: encoding === "mulaw" ? "ulaw" : "alaw",
      sampleRate: 8000,
      mp3Bitrate: 64,
      opusBitrate: "auto",
    });
    const bytes = Buffer.concat([await encoder.encode(input), await encoder.finish()]);
    const output = decode(bytes, { encoding, sampleRate: 8000 });
    assert.equal(output.length, 2 * input.length);
    for (let at = 500; at < input.length - 500; at++) {
      assert.ok(Math.abs((output[2 * at] ?? 0) / 32768 - (input[at] ?? 0)) < 0.03, `${at}`);
    }
  });
}

test("refuses rates that no sound has", () => {
  for (const sampleRate of [0, 7999, 96_001, 16_000.5, Number.NaN])
    assert.throws(() => createFrameDecoder({ encoding: "pcm_s16le", sampleRate }), AudioError);
});
