import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeAudio } from "../../testing/decode-audio.ts";
import { noise, speechLike } from "../../testing/signals.ts";
import { createEncoder } from "./index.ts";

async function encode(
  format: "flac" | "pcm" | "ulaw" | "alaw",
  sampleRate: number,
  samples: Float32Array,
): Promise<Buffer> {
  const encoder = createEncoder({ format, sampleRate, mp3Bitrate: 128, opusBitrate: "auto" });
  return Buffer.concat([await encoder.encode(samples), await encoder.finish()]);
}

/** A WAV file of one-byte samples, whose codec has this number. */
function wavOf(codec: number, data: Buffer): Buffer {
  const header = Buffer.alloc(44);
  header.write("RIFF", 0, "latin1");
  header.writeUInt32LE(36 + data.length, 4);
  header.write("WAVEfmt ", 8, "latin1");
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(codec, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(8000, 24);
  header.writeUInt32LE(8000, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write("data", 36, "latin1");
  header.writeUInt32LE(data.length, 40);
  return Buffer.concat([header, data]);
}

for (const [name, samples] of [
  ["speech", speechLike(24000, 1.234)],
  ["loud noise", noise(30_001, 1.5)],
  ["silence", new Float32Array(10_000)],
] as const) {
  test(`flac of ${name} decodes to the samples of pcm, bit by bit`, async () => {
    const pcm = await encode("pcm", 24000, samples);
    const decoded = decodeAudio(await encode("flac", 24000, samples)).samples;
    assert.deepEqual(
      Array.from(decoded, (sample) => Math.round(sample * 32768)),
      Array.from({ length: pcm.length / 2 }, (_, index) => pcm.readInt16LE(2 * index)),
    );
  });
}

test("a streamed flac file leaves its length and its checksum open", async () => {
  const file = await encode("flac", 16000, speechLike(16000, 0.5));
  assert.equal(file.toString("latin1", 0, 4), "fLaC");
  assert.deepEqual([...file.subarray(4, 8)], [0x80, 0, 0, 34], "one metadata block");
  const rateAndLength = file.readBigUInt64BE(8 + 10);
  assert.equal(Number(rateAndLength >> 44n), 16000);
  assert.equal(Number(rateAndLength & 0xfffffffffn), 0, "samples in all");
  assert.ok(
    file.subarray(26, 42).every((byte) => byte === 0),
    "checksum",
  );
});

for (const [format, codec] of [
  ["ulaw", 7],
  ["alaw", 6],
] as const) {
  test(`${format} of every value decodes to the nearest one that it has`, async () => {
    const all = Float32Array.from({ length: 65_536 }, (_, index) => (index - 32_768) / 32_768);
    const decoded = decodeAudio(wavOf(codec, await encode(format, 8000, all))).samples;
    assert.equal(decoded.length, all.length);
    for (const [index, sample] of all.entries()) {
      const error = Math.abs((decoded[index] ?? 0) - sample);
      // A step is a sixteenth of the magnitude, and rounding takes away half of one. Steps are shifted a little.
      assert.ok(error <= Math.abs(sample) / 32 + 12 / 32_768, `${sample} became ${decoded[index]}`);
    }
    const silence = decodeAudio(wavOf(codec, await encode(format, 8000, new Float32Array(80)))).samples;
    assert.ok(silence.every((sample) => Math.abs(sample) <= 8 / 32_768));
  });
}
