import assert from "node:assert/strict";
import { it } from "node:test";
import { lettersPerSecond, paceFor } from "./pace.ts";

it("the pace of a speaker is measured in the recordings whose text is known", () => {
  const known = { text: "Ten letters, and ten more.", seconds: 4 };
  assert.equal(lettersPerSecond([known]), 5);
  assert.equal(lettersPerSecond([known, { text: null, seconds: 100 }, { text: "", seconds: 9 }]), 5);
  assert.equal(lettersPerSecond([{ text: "Hello there", seconds: 2 }]), undefined, "too short");
  assert.equal(lettersPerSecond([{ text: "…", seconds: 20 }]), undefined, "no letters");
});

it("the pace of a voice follows its speaker, within bounds", () => {
  assert.equal(paceFor(11, 10), 1.1);
  assert.equal(paceFor(6, 10), 0.8);
  assert.equal(paceFor(19, 10), 1.25);
  assert.equal(paceFor(2, 10), 1, "not the text of the recording");
  assert.equal(paceFor(50, 10), 1, "not the text of the recording");
  assert.equal(paceFor(undefined, 10), 1);
  assert.equal(paceFor(10, undefined), 1);
});
