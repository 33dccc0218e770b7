import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertSameSound, type DecodeSession, openDecodeSession, speechClip } from "../../testing/decode-session.ts";
import { noise, tone } from "../../testing/signals.ts";
import { type WavSamples, wavFile } from "../../testing/wav-file.ts";

let session: DecodeSession;
let clip: Float32Array;
before(async () => {
  session = await openDecodeSession();
  clip = await speechClip(2);
});
after(() => session.close());

const sampleRate = 16000;
const kinds: readonly WavSamples[] = ["u8", "s16", "s24", "s32", "s64", "f32", "f64", "alaw", "ulaw"];

for (const samples of kinds) {
  test(`decodes samples written as ${samples}`, async () => {
    for (const extensible of [false, true]) {
      const { sound, seconds } = await session.decode(wavFile([clip], { sampleRate, samples, extensible }));
      assert.equal(seconds, 2);
      assertSameSound(sound, clip, 0.998);
      const loudest = (of: Float32Array) => of.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
      assert.ok(Math.abs(loudest(sound) / loudest(clip) - 1) < 0.05, `${loudest(sound)}, was ${loudest(clip)}`);
    }
  });
}

test("skips unknown blocks, also of odd sizes", async () => {
  const chunks = ["LIST", "bext", "JUNK", "id3 ", "\0\0\0\0"].map((name, i) => ({
    name,
    bytes: Buffer.alloc(33 + 1000 * i, 0x41),
  }));
  const { sound, seconds } = await session.decode(wavFile([clip], { sampleRate, chunks }));
  assert.equal(seconds, 2);
  assertSameSound(sound, clip, 0.999);
});

for (const sizes of [0, 0xffffffff, 0x7fffffff, 0x80000000]) {
  test(`a stream with the sizes ${sizes.toString(16)} is read to its end`, async () => {
    const { sound, seconds } = await session.decode(wavFile([clip], { sampleRate, sizes }));
    assert.equal(seconds, 2);
    assertSameSound(sound, clip, 0.999);
  });
}

test("a truncated file is decoded as far as possible", async () => {
  const whole = wavFile([clip, clip], { sampleRate, samples: "s24" });
  const { seconds } = await session.decode(whole.subarray(0, 44 + 6 * 20_000 + 5));
  assert.equal(seconds, 20_000 / sampleRate);
});

test("bytes after the data are ignored", async () => {
  const file = Buffer.concat([wavFile([clip], { sampleRate }), Buffer.alloc(10_000, 0x55)]);
  assert.equal((await session.decode(file)).seconds, 2);
});

for (const rate of [8000, 11025, 22255, 44056, 44100, 47952, 96000, 192000]) {
  test(`${rate} Hz keep their pitch and length`, async () => {
    const decoded = await session.decode(wavFile([tone(rate, 2, 440)], { sampleRate: rate }));
    assert.deepEqual([decoded.sourceRate, decoded.seconds], [rate, 2]);
    assertSameSound(decoded.sound, tone(sampleRate, 2, 440), 0.9999);
  });
}

for (const channels of [1, 2, 3, 4, 6, 8, 9, 16, 24, 64]) {
  test(`${channels} channels become one, no louder than they were`, async () => {
    const file = wavFile(new Array<Float32Array>(channels).fill(clip), { sampleRate, samples: "f32" });
    const decoded = await session.decode(file);
    assert.equal(decoded.channels, channels);
    assertSameSound(decoded.sound, clip, 0.999);
    const peak = decoded.sound.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
    const before = clip.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
    assert.ok(peak <= before * 1.01 && peak > before * 0.5, `${peak}, was ${before}`);
  });
}

test("speech on one channel only is decoded", async () => {
  const silence = new Float32Array(clip.length);
  for (const channels of [
    [clip, silence],
    [silence, clip],
  ]) {
    assertSameSound((await session.decode(wavFile(channels, { sampleRate }))).sound, clip, 0.999);
  }
});

test("NaN samples do no harm", async () => {
  const wild = noise(sampleRate, 1).map(
    (value, i) => (i % 100 === 0 ? [Number.NaN, Infinity, 1e38][i % 3] : value) ?? 0,
  );
  const { sound } = await session.decode(wavFile([wild], { sampleRate, samples: "f32" }));
  assert.equal(sound.length, sampleRate);
});
