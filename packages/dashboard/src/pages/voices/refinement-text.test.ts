import assert from "node:assert/strict";
import { test } from "node:test";
import { refinementText } from "./refinement-text.ts";

const done = { refinement: "done", refinement_error: "", refinement_similarity: null } as const;

test("a refined voice says how similar it was and is to its speaker", () => {
  const text = refinementText({ ...done, refinement_similarity: { before: 0.612, after: 0.684 } });
  assert.match(text ?? "", /was 0\.612 and is 0\.684 now/);
});

test("a voice that refinement did not improve says that it stays as it was", () => {
  const text = refinementText({ ...done, refinement_similarity: { before: 0.7, after: 0.7 } });
  assert.match(text ?? "", /stays as it was made.* is 0\.700\./);
});

test("a difference that is small is still told", () => {
  const text = refinementText({ ...done, refinement_similarity: { before: 0.7, after: 0.701 } });
  assert.match(text ?? "", /is refined\..* was 0\.700 and is 0\.701 now/);
});

test("a voice without figures, one in work and one without refinement say so", () => {
  assert.match(refinementText(done) ?? "", /^The voice was not refined: there is too little speech/);
  assert.match(refinementText({ ...done, refinement: "running" }) ?? "", /works on it in the background/);
  assert.match(refinementText({ ...done, refinement: "failed", refinement_error: "No memory" }) ?? "", /^No memory\. /);
  assert.equal(refinementText({ ...done, refinement: "none" }), undefined);
});
