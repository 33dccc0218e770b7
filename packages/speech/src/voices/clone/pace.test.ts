import assert from "node:assert/strict";
import { it } from "node:test";
import { lettersPerSecond, paceFor } from "./pace.ts";

it("how fast somebody speaks is told by the recordings whose text is known", () => {
  const known = { text: "Ten letters, and ten more.", seconds: 4 };
  assert.equal(lettersPerSecond([known]), 5);
  assert.equal(lettersPerSecond([known, { text: null, seconds: 100 }, { text: "", seconds: 9 }]), 5);
  assert.equal(lettersPerSecond([{ text: "Hello there", seconds: 2 }]), undefined, "too little to tell");
  assert.equal(lettersPerSecond([{ text: "…", seconds: 20 }]), undefined, "nothing is said");
});

it("a voice is made to speak as fast as its speaker, within bounds", () => {
  assert.equal(paceFor(11, 10), 1.1);
  assert.equal(paceFor(6, 10), 0.8);
  assert.equal(paceFor(19, 10), 1.25);
  assert.equal(paceFor(2, 10), 1, "that is another text");
  assert.equal(paceFor(50, 10), 1, "that is another text");
  assert.equal(paceFor(undefined, 10), 1);
  assert.equal(paceFor(10, undefined), 1);
});
