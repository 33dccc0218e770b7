import assert from "node:assert/strict";
import { test } from "node:test";
import { pcmEncoder, wavEncoder } from "./pcm.ts";

function encode(core: ReturnType<typeof pcmEncoder>, ...parts: Float32Array[]): Buffer {
  const bytes: Uint8Array[] = [];
  for (const part of parts) core.write(part, bytes);
  core.end(bytes);
  return Buffer.concat(bytes);
}

test("rounds to 16 bits, little-endian, and clips at the limits", () => {
  const bytes = encode(pcmEncoder(), Float32Array.of(0, 0.5, -0.5, 1, -1, 3, -3, 0.4 / 32768, 0.6 / 32768, Number.NaN));
  const values = Array.from({ length: bytes.length / 2 }, (_, i) => bytes.readInt16LE(2 * i));
  assert.deepEqual(values, [0, 16384, -16384, 32767, -32768, 32767, -32768, 0, 1, 0]);
});

test("a WAV has one header, with sizes that mean unknown", () => {
  const bytes = encode(wavEncoder(24000), Float32Array.of(0.5), Float32Array.of(0.25));
  assert.equal(bytes.toString("latin1", 0, 4), "RIFF");
  assert.equal(bytes.readUInt32LE(4), 0xffffffff);
  assert.equal(bytes.toString("latin1", 8, 16), "WAVEfmt ");
  assert.deepEqual(
    [bytes.readUInt32LE(16), bytes.readUInt16LE(20), bytes.readUInt16LE(22), bytes.readUInt32LE(24)],
    [16, 1, 1, 24000],
  );
  assert.deepEqual([bytes.readUInt32LE(28), bytes.readUInt16LE(32), bytes.readUInt16LE(34)], [48000, 2, 16]);
  assert.equal(bytes.toString("latin1", 36, 40), "data");
  assert.equal(bytes.readUInt32LE(40), 0xffffffff);
  assert.deepEqual([bytes.readInt16LE(44), bytes.readInt16LE(46), bytes.length], [16384, 8192, 48]);
});
