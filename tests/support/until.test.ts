import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "./until.ts";

test("waiting ends with the value of the condition", async () => {
  let calls = 0;
  assert.equal(await until(() => (++calls < 3 ? undefined : calls)), 3);
  assert.equal(await until(async () => 0), 0, "zero is a value");
});

test("waiting in vain fails with what was waited for", async () => {
  await assert.rejects(
    until(() => false, { what: "the server is ready", seconds: 0.02 }),
    /0\.02 .*the server is ready/,
  );
});

test("a condition that throws ends the waiting at once", async () => {
  const failed = (): boolean => assert.fail("the process has ended");
  await assert.rejects(until(failed), /the process has ended/);
});
