import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { OutputFormat } from "../../speech.ts";
import { decodeAudio } from "../../testing/decode-audio.ts";
import { correlation, noise, pieces, speechLike } from "../../testing/signals.ts";
import { createEncoder } from "./index.ts";

const base = { mp3Bitrate: 128, opusBitrate: "auto" } as const;
const outputs: readonly OutputFormat[] = [
  ...[8000, 11025, 12000, 22050, 24000, 44100].map((sampleRate) => ({ ...base, format: "wav" as const, sampleRate })),
  ...[32000, 44100, 48000].flatMap((sampleRate) =>
    [64, 128, 192].map((mp3Bitrate) => ({ ...base, format: "mp3" as const, sampleRate, mp3Bitrate })),
  ),
  ...[8000, 11025, 12000, 16000, 22050, 24000].map((sampleRate) => ({ ...base, format: "mp3" as const, sampleRate })),
  ...(["auto", 24000, 32000, 48000, 64000] as const).map((opusBitrate) => ({
    ...base,
    format: "opus" as const,
    sampleRate: 48000,
    opusBitrate,
  })),
  ...[8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000].flatMap((sampleRate) =>
    (["aac", "flac"] as const).map((format) => ({ ...base, format, sampleRate })),
  ),
];
const oneOfEach: readonly OutputFormat[] = [
  { ...base, format: "wav", sampleRate: 44100 },
  { ...base, format: "pcm", sampleRate: 24000 },
  { ...base, format: "mp3", sampleRate: 44100 },
  { ...base, format: "opus", sampleRate: 48000 },
  { ...base, format: "aac", sampleRate: 24000 },
  { ...base, format: "flac", sampleRate: 24000 },
  { ...base, format: "ulaw", sampleRate: 8000 },
  { ...base, format: "alaw", sampleRate: 8000 },
];
/** Without a header, so that nothing can tell what it is. */
const isRaw = ({ format }: OutputFormat) => format === "pcm" || format === "ulaw" || format === "alaw";
/** Of plain frames, which begin with the delay and end with a whole frame. */
const isPadded = ({ format }: OutputFormat) => format === "mp3" || format === "aac";

const name = ({ format, sampleRate, mp3Bitrate, opusBitrate }: OutputFormat) =>
  `${format} ${sampleRate}${format === "mp3" ? ` ${mp3Bitrate}k` : format === "opus" ? ` ${opusBitrate}` : ""}`;

async function encodeAll(output: OutputFormat, parts: readonly Float32Array[]): Promise<Uint8Array> {
  const encoder = createEncoder(output);
  const bytes: Uint8Array[] = [];
  for (const part of parts) bytes.push(await encoder.encode(part));
  bytes.push(await encoder.finish());
  encoder.close();
  return Buffer.concat(bytes);
}

for (const output of outputs) {
  test(`${name(output)} decodes to the input, without an offset`, async () => {
    const input = speechLike(output.sampleRate, 2.345);
    const encoder = createEncoder(output);
    const decoded = decodeAudio(await encodeAll(output, [input]));
    assert.equal(decoded.sampleRate, output.sampleRate);
    assert.equal(decoded.channels, 1);
    // Players trim the delay of opus but not that of plain frames.
    const lag = isPadded(output) ? encoder.delaySamples : 0;
    encoder.close();
    if (isPadded(output)) assert.ok(decoded.samples.length >= lag + input.length);
    else assert.equal(decoded.samples.length, input.length);
    const here = correlation(decoded.samples.subarray(lag), input);
    assert.ok(here > 0.98, `correlation ${here}`);
    if (lag > 0 || output.format === "opus") {
      assert.ok(correlation(decoded.samples.subarray(lag + 20), input) < here);
      assert.ok(correlation(decoded.samples.subarray(lag), input.subarray(20)) < here);
    }
  });
}

for (const output of outputs.filter(({ format, sampleRate }) => format === "mp3" && sampleRate >= 32000)) {
  test(`${name(output)} has a constant bitrate, every byte of it in a frame`, async () => {
    const file = await encodeAll(output, [speechLike(output.sampleRate, 3)]);
    let frames = 0;
    for (let at = 0; at < file.length; frames++) {
      const header = new DataView(file.buffer, file.byteOffset + at).getUint32(0);
      assert.equal(header >>> 17, 0x7ffd, "sync, MPEG 1, layer III");
      assert.equal({ 5: 64, 9: 128, 11: 192 }[(header >>> 12) & 15], output.mp3Bitrate);
      assert.equal([44100, 48000, 32000][(header >>> 10) & 3], output.sampleRate);
      at += Math.floor((144000 * output.mp3Bitrate) / output.sampleRate) + ((header >>> 9) & 1);
      if (at >= file.length) assert.equal(at, file.length);
    }
    assert.ok(frames * 1152 >= 3 * output.sampleRate);
    assert.doesNotMatch(Buffer.from(file).toString("latin1"), /Xing|Info/);
  });
}

for (const [sampleRate, mp3Bitrate, used] of [
  [24000, 192, 160],
  [22050, 128, 128],
  [16000, 64, 64],
  [12000, 128, 64],
] as const) {
  test(`mp3 ${sampleRate} ${mp3Bitrate}k has a bitrate of ${used}k`, async () => {
    const seconds = 10;
    const output = { ...base, format: "mp3" as const, sampleRate, mp3Bitrate };
    const { length } = await encodeAll(output, [speechLike(sampleRate, seconds)]);
    const kilobits = (length * 8) / 1000 / seconds;
    assert.ok(Math.abs(kilobits - used) < used * 0.03, `${kilobits} kbit/s`);
  });
}

for (const output of outputs.filter(({ format, opusBitrate }) => format === "opus" && opusBitrate !== "auto")) {
  test(`${name(output)} keeps to its bitrate, container included`, async () => {
    const file = await encodeAll(output, [speechLike(48000, 5)]);
    const rate = (file.length * 8) / 5;
    assert.ok(Math.abs(rate / Number(output.opusBitrate) - 1) < 0.15, `${rate} bit/s`);
  });
}

for (const output of oneOfEach) {
  test(`${name(output)}: the first 0.2 s give audible bytes`, async () => {
    const encoder = createEncoder(output);
    const input = speechLike(output.sampleRate, 0.2);
    const bytes = await encoder.encode(input);
    assert.ok(bytes.length > 0);
    assert.ok(encoder.encodedSamples > 0 && encoder.encodedSamples <= input.length);
    if (!isRaw(output)) assert.ok(decodeAudio(bytes).samples.length >= encoder.encodedSamples);
    await encoder.finish();
    assert.equal(encoder.encodedSamples, input.length);
    encoder.close();
  });

  test(`${name(output)}: the bytes depend on the samples alone, not on how they were divided`, async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 20_000 }), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 40_000 }), sizes, async (length, cut) => {
        const input = noise(length, 0.3);
        const whole = await encodeAll(output, [input]);
        const cutUp = await encodeAll(output, pieces(input, cut));
        assert.deepEqual(withoutSerial(output, cutUp), withoutSerial(output, whole));
      }),
      { numRuns: 15 },
    );
  });

  test(`${name(output)}: a file of no or very few samples is still a file`, async () => {
    for (const length of [0, 1, 500]) {
      const file = await encodeAll(output, [noise(length, 0.1)]);
      if (isRaw(output)) assert.equal(file.length, (output.format === "pcm" ? 2 : 1) * length);
      else if (isPadded(output)) assert.ok(decodeAudio(file).samples.length >= length);
      else assert.equal(decodeAudio(file).samples.length, length);
    }
  });

  test(`${name(output)}: may be closed at any time, any number of times`, async () => {
    const encoder = createEncoder(output);
    const encoding = encoder.encode(new Float32Array(10 * output.sampleRate));
    encoder.close();
    encoder.close();
    await assert.rejects(encoding, /closed/);
    await assert.rejects(encoder.encode(new Float32Array(10)), /closed/);
    await assert.rejects(encoder.finish(), /closed/);
  });

  test(`${name(output)}: takes one call at a time, and none after the end but another end`, async () => {
    const encoder = createEncoder(output);
    const encoding = encoder.encode(new Float32Array(10 * output.sampleRate));
    await assert.rejects(encoder.encode(new Float32Array(10)), /await/);
    await encoding;
    await encoder.finish();
    assert.equal((await encoder.finish()).length, 0);
    await assert.rejects(encoder.encode(new Float32Array(10)), /finished/);
    encoder.close();
  });
}

test("has the content type of the format", () => {
  const types = oneOfEach.map((output) => {
    const encoder = createEncoder(output);
    encoder.close();
    return encoder.contentType;
  });
  assert.deepEqual(types, [
    "audio/wav",
    "audio/pcm",
    "audio/mpeg",
    "audio/ogg; codecs=opus",
    "audio/aac",
    "audio/flac",
    "audio/basic",
    "audio/x-alaw-basic",
  ]);
});

test("refuses rates and bitrates that a format does not have", () => {
  for (const wrong of [
    { ...base, format: "wav", sampleRate: 11000 },
    { ...base, format: "mp3", sampleRate: 96000 },
    { ...base, format: "mp3", sampleRate: 44100, mp3Bitrate: 320 },
    { ...base, format: "opus", sampleRate: 44100 },
    { ...base, format: "aac", sampleRate: 96000 },
    { ...base, format: "flac", sampleRate: 11000 },
    { ...base, format: "ulaw", sampleRate: 16000 },
    { ...base, format: "opus", sampleRate: 48000, opusBitrate: 24 },
  ] satisfies OutputFormat[]) {
    assert.throws(() => createEncoder(wrong), RangeError);
  }
});

/** Blanks the serial number of each Ogg page, and the checksum that it goes into. */
function withoutSerial(output: OutputFormat, file: Uint8Array): Uint8Array {
  if (output.format !== "opus") return file;
  const copy = Uint8Array.from(file);
  for (let at = 0; at < copy.length; ) {
    copy.fill(0, at + 14, at + 18).fill(0, at + 22, at + 26);
    const segments = copy.subarray(at + 27, at + 27 + (copy[at + 26] ?? 0));
    at += 27 + segments.length + segments.reduce((sum, segment) => sum + segment, 0);
  }
  return copy;
}
