import assert from "node:assert/strict";
import { test } from "node:test";
import { cloningEngine } from "../../engines/registry.ts";
import { makeVoice } from "./make-voice.ts";
import { prosodyFor } from "./prosody.ts";
import { meanFeatures } from "./speaker-features.ts";

const encode = async () => ({ embedding: new Float32Array(128), encoder: "test" });
const vector = new Float32Array(128).fill(128 ** -0.5);
/** Ten seconds of somebody with this range of the pitch. */
const rangeOf = async (pitchRange: number | undefined, pitch = 200) =>
  (await makeVoice([{ vector, pitch, pitchRange, weight: 10 }], encode)).pitchRange;
/** Ten seconds of somebody with this pitch. */
const voiceOf = (pitch: number | undefined, text?: string | null) =>
  makeVoice([{ vector, pitch, weight: 10, text }], encode);

test("a voice has the prosody of the stock voice with the nearest pitch, at the pitch of the speaker", async () => {
  for (const pitch of [70, 95, 110, 130, 150, 185, 230, 320]) {
    const voice = await voiceOf(pitch);
    const prosody = prosodyFor(pitch);
    assert.equal(voice.prosody, prosody.name);
    assert.ok(Math.abs(voice.pitch * prosody.pitch - pitch) < 1e-6, `${pitch} Hz`);
  }
  assert.match((await voiceOf(100)).prosody, /^[ab]m_/);
  assert.match((await voiceOf(220)).prosody, /^[ab]f_/);
  assert.deepEqual([(await voiceOf(undefined)).pitch, (await voiceOf(undefined)).prosody], [1, "af_heart"]);
  assert.equal((await voiceOf(1000)).pitch, 2, "an error of the measurement");
});

test("the pace is that of the speaker where the texts are known, and the engine's own otherwise", async () => {
  const { lettersPerSecond } = prosodyFor(200);
  const paceOf = async (letters: number) => (await voiceOf(200, "x".repeat(letters))).pace;
  assert.ok(Math.abs((await paceOf(Math.round(11 * lettersPerSecond))) - 1.1) < 0.01);
  assert.ok(Math.abs((await paceOf(Math.round(9 * lettersPerSecond))) - 0.9) < 0.01);
  assert.equal((await voiceOf(200)).pace, 1);
  assert.equal((await voiceOf(200, null)).pace, 1);
  assert.equal(await paceOf(Math.round(30 * lettersPerSecond)), 1, "not the text of the recording");
});

test("the range of the pitch is that of the speaker, within bounds, and the prosody's own where it is not known", async () => {
  for (const pitch of [100, 200]) {
    const own = prosodyFor(pitch).pitchRange;
    assert.ok(Math.abs((await rangeOf(1.2 * own, pitch)) - 1.2) < 1e-6);
    assert.ok(Math.abs((await rangeOf(0.8 * own, pitch)) - 0.8) < 1e-6);
    assert.deepEqual(
      [await rangeOf(0, pitch), await rangeOf(2, pitch), await rangeOf(undefined, pitch)],
      [0.6, 1.4, 1],
    );
  }
  const recordings = [0.3, undefined, 0.6].map((pitchRange) => ({ vector, pitch: 200, pitchRange, weight: 10 }));
  recordings.push({ vector, pitch: 200, pitchRange: 0.3, weight: 10 });
  const { pitchRange } = await makeVoice(recordings, encode);
  assert.ok(Math.abs(pitchRange - 0.4 / prosodyFor(200).pitchRange) < 1e-6, "the mean of those that are known");
});

test("several recordings have their mean pitch in octaves, by seconds of speech, without those of unknown pitch", async () => {
  const recordings = [
    { vector, pitch: 160, weight: 9 },
    { vector, pitch: 320, weight: 3 },
    { vector, pitch: undefined, weight: 12 },
  ];
  const expected = 160 * 2 ** (3 / 12);
  for (const given of [recordings, recordings.toReversed()]) {
    const { pitch } = await makeVoice(given, encode);
    assert.ok(Math.abs(pitch * prosodyFor(expected).pitch - expected) < 1e-6, `${pitch}`);
  }
});

test("several recordings have their mean vectors of length 1, by seconds of speech", () => {
  const axis = (at: number) => Float32Array.from({ length: 128 }, (_, i) => (i === at ? 1 : 0));
  const by = (network: string, at: number) => ({ values: axis(at), network });
  const recordings = [
    { vector: axis(0), networkVector: undefined, pitch: 200, weight: 4 },
    { vector: axis(1), networkVector: by("one", 2), pitch: 200, weight: 3 },
    { vector: axis(0), networkVector: by("one", 3), pitch: 200, weight: 4 },
    { vector: axis(0), networkVector: by("another", 4), pitch: 200, weight: 9 },
  ];
  const features = meanFeatures(recordings);
  const about = (values: Float32Array | undefined, expected: readonly number[]) => {
    for (const [i, value] of expected.entries()) assert.ok(Math.abs((values?.[i] ?? 0) - value) < 1e-6, `${values}`);
  };
  about(features.vector, [17 / Math.hypot(17, 3), 3 / Math.hypot(17, 3), 0]);
  // Without the recording that has none, and without those of another network.
  about(features.networkVector?.values, [0, 0, 0.6, 0.8, 0]);
  assert.equal(features.networkVector?.network, "one");
  assert.equal(meanFeatures(recordings.slice(0, 1)).networkVector, undefined);
});

test("all prosodies are stock voices of the language of cloned voices", () => {
  const { prosodies, language } = cloningEngine.cloning;
  for (const { slug } of prosodies) {
    const voice = cloningEngine.voices.find((each) => each.slug === slug);
    assert.equal(voice?.engineVoice.language.slice(0, 2), language.slice(0, 2), slug);
  }
});
