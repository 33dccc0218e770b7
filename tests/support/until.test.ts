import assert from "node:assert/strict";
import { it } from "node:test";
import { until, untilSteady } from "./until.ts";

it("until returns the first value of the probe that is neither false nor undefined", async () => {
  let calls = 0;
  assert.equal(await until(() => (++calls < 3 ? undefined : calls), { everyMs: 1 }), 3);
  assert.equal(await until(async () => ++calls > 4, { everyMs: 1 }), true);
});

it("until throws at its deadline and names what it waited for", async () => {
  await assert.rejects(
    until(() => false, { timeoutMs: 5, what: "the third call" }),
    /^Error: not reached within 5 ms: the third call$/,
  );
  await assert.rejects(
    until(() => 1 > 2, { timeoutMs: 5 }),
    /: \(\) ?=> ?1 ?> ?2$/,
  );
});

it("untilSteady returns a number that no longer changes", async () => {
  let value = 0;
  assert.equal(await untilSteady(() => Math.min(++value, 4), 1), 4);
});
