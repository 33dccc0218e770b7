import assert from "node:assert/strict";
import { test } from "node:test";
import { VOICE_LIMITS } from "@parlance/protocol";
import { isShort, refusalOf, warningsOf } from "./check-recording.ts";

const { minSeconds, maxSeconds } = VOICE_LIMITS;
const constant = (level: number): Float32Array => new Float32Array(1000).fill(level);

test("recordings outside of the limits are refused", () => {
  assert.match(refusalOf(minSeconds - 0.1) ?? "", /shorter/);
  assert.match(refusalOf(maxSeconds + 0.1) ?? "", /longer/);
  for (const seconds of [minSeconds, maxSeconds]) assert.equal(refusalOf(seconds), undefined);
});

test("quiet and clipped recordings are warned about", () => {
  assert.deepEqual(warningsOf(constant(0.5)), []);
  assert.match(warningsOf(constant(0.01)).join(), /quiet/);
  assert.match(warningsOf(constant(1)).join(), /too loud/);
});

test("only the sum of all recordings can be too short", () => {
  assert.equal(isShort([]), false);
  assert.equal(isShort([{ seconds: 5 }]), true);
  assert.equal(isShort([{ seconds: 5 }, { seconds: 5 }, { seconds: 5 }]), false);
  assert.equal(isShort([{ seconds: 5 }, { seconds: undefined }]), false, "the length is unknown");
});
