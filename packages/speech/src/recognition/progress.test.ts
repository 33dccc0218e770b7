import assert from "node:assert/strict";
import { it } from "node:test";
import { createProgress } from "./progress.ts";

it("reports the share that is done, and never less than before", () => {
  const reported: number[] = [];
  const progress = createProgress((share) => reported.push(share));
  progress.advance(0.25);
  const before = progress.share;
  progress.advance(0.5);
  progress.reset(before);
  progress.advance(0.25);
  progress.advance(0.75);
  assert.deepEqual(reported, [0.25, 0.75, 0.75, 1]);
});
