import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { joinSpeakers } from "./join-speakers.ts";
import { stitch } from "./stitch.ts";
import type { FinishedPart } from "./types.ts";

/** A part whose speakers have these voices: the angle of a vector. */
function part(start: number, voices: readonly number[]): FinishedPart {
  const labels = ["A", "B", "C"];
  return {
    start,
    seconds: 10,
    result: {
      text: voices.map((_, index) => labels[index]).join(" "),
      duration: 10,
      segments: voices.map((_, index) => ({ text: "x", start: index, end: index + 1, speaker: labels[index] })),
      speakers: voices.map((angle, index) => ({
        speaker: labels[index] ?? "",
        seconds: 4,
        embedding: [Math.cos(angle), Math.sin(angle)],
      })),
      language: "en",
      language_code: "en",
    },
  };
}

describe("speakers of a recording in parts", () => {
  it("are recognized by their voices, whatever a part calls them", () => {
    const parts = [part(0, [0, 1.5]), part(10, [1.6, 0.1]), part(20, [3, 0])];
    const { segments, speakers } = stitch(parts, 30);
    assert.deepEqual(
      segments.map(({ speaker }) => speaker),
      ["A", "B", "B", "A", "C", "A"],
    );
    assert.deepEqual(
      speakers?.map(({ speaker, seconds }) => [speaker, seconds]),
      [
        ["A", 12],
        ["B", 8],
        ["C", 4],
      ],
    );
  });

  it("are not more than the given number", () => {
    const joined = joinSpeakers([part(0, [0, 1.5]), part(10, [3])], 2);
    assert.equal(joined?.speakers.length, 2);
    assert.equal(joined?.labels[1]?.get("A"), "B");
  });

  it("are left out where no part has any", () => {
    const { result, ...position } = part(0, [0]);
    const { speakers: _speakers, ...plain } = result;
    assert.equal(joinSpeakers([{ ...position, result: plain }], undefined), undefined);
    assert.ok(!("speakers" in stitch([{ ...position, result: plain }], 10)));
  });
});
