import assert from "node:assert/strict";
import { test } from "node:test";
import { fromPcm, toWav } from "./samples.ts";

test("16-bit samples become numbers between -1 and 1", () => {
  const bytes = new Uint8Array([0, 0, 0, 0x80, 0xff, 0x7f, 0, 0x40]);
  assert.deepEqual([...fromPcm(bytes)], [0, -1, 32767 / 32768, 0.5]);
  assert.deepEqual([...fromPcm(bytes.subarray(2, 4))], [-1], "also from the middle of a buffer");
});

test("a WAV file has a header with its length, and samples outside of the range are clipped", async () => {
  const wav = toWav([new Float32Array([0, 2]), new Float32Array([-2])], 16_000);
  const bytes = Buffer.from(await wav.arrayBuffer());
  assert.equal(bytes.length, 44 + 6);
  assert.equal(bytes.toString("latin1", 0, 4) + bytes.toString("latin1", 8, 16), "RIFFWAVEfmt ");
  assert.deepEqual([bytes.readUInt32LE(4), bytes.readUInt32LE(24), bytes.readUInt32LE(40)], [42, 16_000, 6]);
  assert.deepEqual(
    [44, 46, 48].map((offset) => bytes.readInt16LE(offset)),
    [0, 32_767, -32_767],
  );
});
