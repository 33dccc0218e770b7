import assert from "node:assert/strict";
import { test } from "node:test";
import { pitchOf } from "../voice-pitch.ts";
import { nativePitch } from "./native-voices.ts";
import { pitchContour } from "./pitch-contour.ts";
import { MIN_PITCH } from "./student/shape.ts";

const median = pitchOf({ slug: "af_heart", gender: "female" });
const clone = { language: "en-us", embedding: new Float32Array(128), prosody: "af_heart" };
const contour = (change: object, pitches: readonly number[], language = "en-us") => [
  ...pitchContour({ ...clone, ...change }, language)(Float32Array.from(pitches)),
];
const near = (actual: number | undefined, expected: number) =>
  assert.ok(Math.abs((actual ?? 0) - expected) < 1e-3 * expected + 1e-6, `${actual} instead of ${expected}`);

test("the range of the pitch grows and shrinks around the median, which is moved", () => {
  for (const pitchRange of [0.6, 1, 1.5]) {
    const [low, middle, high] = contour({ pitch: 1.1, pitchRange }, [median / 1.3, median, median * 1.3]);
    near(middle, 1.1 * median);
    near(high, 1.1 * median * 1.3 ** pitchRange);
    near(low, (1.1 * median) / 1.3 ** pitchRange);
  }
});

test("frames without a pitch keep none", () => {
  for (const pitchRange of [0.6, 1.5]) {
    const [silent, faint] = contour({ pitchRange }, [0, 2]);
    assert.equal(silent, 0);
    assert.ok((faint ?? 0) < 3, String(faint));
  }
});

test("no frame becomes voiced or unvoiced", () => {
  for (const pitch of [0.6, 1, 1.6])
    for (const pitchRange of [0.6, 1, 1.4]) {
      const [negative, unvoiced, voiced] = contour({ pitch, pitchRange }, [-3, 9.5, 10.5]);
      const values = JSON.stringify({ pitch, pitchRange, negative, unvoiced, voiced });
      assert.ok((negative ?? 0) < 0 && (unvoiced ?? 0) <= MIN_PITCH && (voiced ?? 0) > MIN_PITCH, values);
    }
});

test("in another language the median is that of the mix with a native voice", () => {
  const change = nativePitch(clone, "es");
  const [middle, high] = contour({ pitchRange: 1.5 }, [median * change, median * change * 1.2], "es");
  near(middle, median);
  near(high, median * 1.2 ** 1.5);
});

test("where the pitch tells words apart, its range is not changed", () => {
  for (const language of ["ja", "zh"])
    for (const pitchRange of [0.6, 1.5]) {
      const change = nativePitch(clone, language);
      const [high] = contour({ pitchRange }, [median * change * 1.2], language);
      near(high, median * 1.2);
    }
});

test("a stock voice has its own range", () => {
  const [high] = pitchContour({ language: "en-us", embedding: "af_heart", pitch: 1.2 }, "en-us")(Float32Array.of(300));
  near(high, 360);
});
