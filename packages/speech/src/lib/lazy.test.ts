import assert from "node:assert/strict";
import { it } from "node:test";
import { lazy } from "./lazy.ts";

it("loads once, at the first call", async () => {
  let loads = 0;
  const value = lazy(async () => ++loads);
  assert.equal(loads, 0);
  assert.deepEqual(await Promise.all([value(), value()]), [1, 1]);
  assert.equal(await value(), 1);
});

it("tries again after a failure", async () => {
  let loads = 0;
  const value = lazy(async () => {
    if (++loads === 1) throw new Error("not yet");
    return loads;
  });
  await assert.rejects(value(), /not yet/);
  assert.equal(await value(), 2);
});
