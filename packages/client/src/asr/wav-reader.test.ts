import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toByteSource } from "./byte-source.ts";
import { openWav } from "./wav-reader.ts";
import { writeWav } from "./wav-writer.ts";

interface Shape {
  readonly bits: number;
  readonly float?: boolean;
  readonly channels?: number;
  readonly extensible?: boolean;
  readonly magic?: string;
  readonly before?: readonly Buffer[];
  readonly dataSize?: number;
}

const chunk = (id: string, body: Buffer): Buffer => {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(body.length);
  return Buffer.concat([Buffer.from(id), size, body, Buffer.alloc(body.length % 2)]);
};

function wav(values: readonly number[], shape: Shape): Uint8Array<ArrayBuffer> {
  const { bits, float = false, channels = 1, extensible = false, magic = "RIFF", before = [] } = shape;
  const format = Buffer.alloc(extensible ? 40 : 16);
  format.writeUInt16LE(extensible ? 0xfffe : float ? 3 : 1, 0);
  format.writeUInt16LE(channels, 2);
  format.writeUInt32LE(8000, 4);
  format.writeUInt32LE((8000 * channels * bits) / 8, 8);
  format.writeUInt16LE((channels * bits) / 8, 12);
  format.writeUInt16LE(bits, 14);
  if (extensible) format.writeUInt16LE(float ? 3 : 1, 24);
  const data = Buffer.alloc((values.length * bits) / 8);
  for (const [index, value] of values.entries()) {
    const at = (index * bits) / 8;
    if (float && bits === 32) data.writeFloatLE(value, at);
    else if (float) data.writeDoubleLE(value, at);
    else if (bits === 8) data.writeUInt8(Math.round(value * 127) + 128, at);
    else data.writeIntLE(Math.round(value * (2 ** (bits - 1) - 1)), at, bits / 8);
  }
  const last = chunk("data", data);
  if (shape.dataSize !== undefined) last.writeUInt32LE(shape.dataSize, 4);
  const body = Buffer.concat([Buffer.from("WAVE"), ...before, chunk("fmt ", format), last]);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(body.length);
  return new Uint8Array(Buffer.concat([Buffer.from(magic), size, body]));
}

async function read(file: Uint8Array<ArrayBuffer>) {
  const pcm = (await openWav(await toByteSource(file))) ?? assert.fail("not read as WAV");
  const samples: number[] = [];
  for await (const piece of pcm.samples) samples.push(...piece);
  return { ...pcm, samples };
}

function assertNear(actual: readonly number[], expected: readonly number[], tolerance: number): void {
  assert.equal(actual.length, expected.length);
  for (const [index, value] of actual.entries()) {
    assert.ok(Math.abs(value - (expected[index] ?? 0)) <= tolerance, `sample ${index}: ${value}, ${expected[index]}`);
  }
}

const values = [0, 0.5, -0.5, 0.99, -0.99, 0.25];

describe("a WAV file", () => {
  for (const shape of [
    { bits: 8 },
    { bits: 16 },
    { bits: 24 },
    { bits: 32 },
    { bits: 32, float: true },
    { bits: 64, float: true },
    { bits: 24, extensible: true },
    { bits: 32, float: true, extensible: true },
  ] satisfies Shape[]) {
    it(`is read with samples of ${JSON.stringify(shape)}`, async () => {
      const { samples, sampleRate, seconds } = await read(wav(values, shape));
      assert.equal(sampleRate, 8000);
      assert.equal(seconds, values.length / 8000);
      assertNear(samples, values, shape.bits === 8 ? 0.01 : 1e-4);
    });
  }

  it("is mixed into one channel", async () => {
    const { samples } = await read(wav([1, 0, 0.5, -0.5, -1, -1], { bits: 16, channels: 2 }));
    assertNear(samples, [0.5, 0, -1], 1e-4);
  });

  it("may have other chunks before its audio, also of odd sizes", async () => {
    const before = [chunk("LIST", Buffer.from("abc")), chunk("bext", Buffer.alloc(602))];
    assertNear((await read(wav(values, { bits: 16, before }))).samples, values, 1e-4);
  });

  it("is read to the end of the file when its length is unknown or too large", async () => {
    for (const dataSize of [0, 0xffffffff, 1_000_000]) {
      assertNear((await read(wav(values, { bits: 16, dataSize }))).samples, values, 1e-4);
    }
    const cut = wav(values, { bits: 16 }).slice(0, -3);
    assertNear((await read(cut)).samples, values.slice(0, 4), 1e-4);
  });

  it("may be RF64, for more than four gigabytes", async () => {
    const sizes = Buffer.alloc(28);
    sizes.writeBigUInt64LE(BigInt(values.length * 2), 8);
    const file = wav(values, { bits: 16, magic: "RF64", before: [chunk("ds64", sizes)], dataSize: 0xffffffff });
    assertNear((await read(file)).samples, values, 1e-4);
  });

  it("is read back as it was written here", async () => {
    const { samples, sampleRate } = await read(writeWav(Int16Array.of(0, 1, -1, 32767, -32768), 16_000));
    assert.equal(sampleRate, 16_000);
    assert.deepEqual(
      samples.map((value) => value * 32_768),
      [0, 1, -1, 32767, -32768],
    );
  });

  it("never returns NaN or infinite samples", async () => {
    const file = wav([Number.NaN, Number.POSITIVE_INFINITY, 3, -3], { bits: 32, float: true });
    assert.deepEqual((await read(file)).samples, [0, 0, 1, -1]);
  });

  it("is refused when it is another format or compressed", async () => {
    const mp3 = new Uint8Array(Buffer.from("ID3 and so on, for a while"));
    const adpcm = wav(values, { bits: 16 });
    adpcm[20] = 2;
    const soundless = wav(values, { bits: 16 }).slice(0, 36);
    for (const file of [new Uint8Array(0), mp3, adpcm, soundless]) {
      assert.equal(await openWav(await toByteSource(file)), undefined);
    }
  });
});
