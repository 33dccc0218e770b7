import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { collectGarbage } from "./collect-garbage.ts";

test("what is no longer used is freed at once", async () => {
  const unused = new WeakRef(new ArrayBuffer(1024));
  // A new reference is kept until the end of the turn.
  await nextTurn();
  assert.ok(unused.deref());
  await nextTurn();
  collectGarbage();
  assert.equal(unused.deref(), undefined);
});
