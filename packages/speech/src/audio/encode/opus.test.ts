import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { decodeAudio } from "../../testing/decode-audio.ts";
import { noise, speechLike } from "../../testing/signals.ts";
import { streamEncoder } from "./encoder.ts";
import { createOggStream } from "./ogg.ts";
import { opusEncoder } from "./opus.ts";

interface Page {
  readonly flags: number;
  readonly position: number;
  readonly serial: number;
  readonly sequence: number;
  readonly packets: number;
}

function pagesOf(file: Buffer): Page[] {
  const pages: Page[] = [];
  for (let at = 0; at < file.length; ) {
    assert.equal(file.toString("latin1", at, at + 4), "OggS");
    const segments = [...file.subarray(at + 27, at + 27 + file.readUInt8(at + 26))];
    pages.push({
      flags: file.readUInt8(at + 5),
      position: Number(file.readBigInt64LE(at + 6)),
      serial: file.readUInt32LE(at + 14),
      sequence: file.readUInt32LE(at + 18),
      packets: segments.filter((segment) => segment < 255).length,
    });
    at += 27 + segments.length + segments.reduce((sum, segment) => sum + segment, 0);
  }
  return pages;
}

async function opusFile(samples: Float32Array): Promise<Buffer> {
  const encoder = streamEncoder(opusEncoder("auto"));
  return Buffer.concat([await encoder.encode(samples), await encoder.finish()]);
}

test("pages are small, in order, and end exactly where the input ends", async () => {
  const samples = speechLike(48000, 3.21);
  const pages = pagesOf(await opusFile(samples));
  const [head, tags, ...audio] = pages;
  assert.deepEqual([head?.flags, head?.position, tags?.flags, tags?.position], [2, 0, 0, 0]);
  assert.deepEqual(
    pages.map((page) => page.sequence),
    pages.map((_, i) => i),
  );
  assert.equal(new Set(pages.map((page) => page.serial)).size, 1);
  assert.equal(audio[0]?.packets, 1);
  assert.ok(audio.every((page) => page.packets >= 1 && page.packets <= 10));
  assert.ok(audio.every((page, i) => page.position > (audio[i - 1]?.position ?? 0)));
  assert.deepEqual([audio.at(-1)?.flags, audio.at(-1)?.position], [4, 312 + samples.length]);
  assert.ok(audio.slice(0, -1).every((page) => page.flags === 0));
});

test("the decoded length is the input's, to the sample", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 6000 }), async (length) => {
      assert.equal(decodeAudio(await opusFile(noise(length, 0.3))).samples.length, length);
    }),
    { numRuns: 40 },
  );
});

test("two files have different serial numbers", async () => {
  const [a] = pagesOf(await opusFile(noise(100, 0.3)));
  const [b] = pagesOf(await opusFile(noise(100, 0.3)));
  assert.notEqual(a?.serial, b?.serial);
});

test("a page has the checksum that Ogg requires", () => {
  // Computed bit by bit, as RFC 3533 describes it.
  const page = Buffer.from(
    createOggStream(0x01020304).page([Buffer.from("hello"), new Uint8Array(600).fill(7)], 48000),
  );
  const written = page.readUInt32LE(22);
  page.writeUInt32LE(0, 22);
  let register = 0n;
  for (const byte of page) {
    for (let bit = 7; bit >= 0; bit--) {
      const top = (register >> 31n) & 1n;
      register = (register << 1n) & 0xffffffffn;
      if (top !== BigInt((byte >> bit) & 1)) register ^= 0x04c11db7n;
    }
  }
  assert.equal(BigInt(written), register);
});

test("refuses packets that do not fit into a page", () => {
  assert.throws(() => createOggStream(1).page([new Uint8Array(255 * 255)], 0), RangeError);
});
