import assert from "node:assert/strict";
import { it } from "node:test";
import { addLevel, hintOf, type LevelState, NO_LEVEL } from "./recording-level.ts";

function after(peaks: readonly number[], step = 0.1): LevelState {
  return peaks.reduce((state, peak, index) => addLevel(state, (index + 1) * step, peak), NO_LEVEL);
}
const seconds = (count: number, peak: number): readonly number[] => Array.from({ length: count * 10 }, () => peak);

it("a good level prompts for more until the recording is long enough", () => {
  assert.deepEqual(hintOf(after(seconds(4, 0.4))), {
    kind: "short",
    text: "Go on reading: 6 more seconds give a closer match.",
  });
  assert.equal(hintOf(after(seconds(11, 0.4))).kind, "good");
});

it("silence is too quiet, but not in the first seconds", () => {
  assert.equal(hintOf(after(seconds(2, 0.01))).kind, "short");
  assert.equal(hintOf(after(seconds(4, 0.01))).kind, "quiet");
  assert.equal(hintOf(after([...seconds(4, 0.01), ...seconds(1, 0.3)])).kind, "short");
});

it("clipping is reported for a few seconds", () => {
  assert.equal(hintOf(after([...seconds(11, 0.4), 1])).kind, "clipping");
  assert.equal(hintOf(after([...seconds(8, 0.4), 1, ...seconds(4, 0.4)])).kind, "good");
});

it("keeps the levels of a few seconds only", () => {
  assert.ok(after(seconds(60, 0.4)).recent.length <= 31);
});
