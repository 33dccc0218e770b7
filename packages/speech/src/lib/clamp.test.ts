import assert from "node:assert/strict";
import { it } from "node:test";
import { clamp } from "./clamp.ts";

it("keeps a value between two bounds", () => {
  assert.equal(clamp(-3, 0, 1), 0);
  assert.equal(clamp(0.5, 0, 1), 0.5);
  assert.equal(clamp(3, 0, 1), 1);
});
