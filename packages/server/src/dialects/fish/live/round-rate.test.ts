import assert from "node:assert/strict";
import { it } from "node:test";
import { createRoundRate } from "./round-rate.ts";

it("lets a socket have some rounds without audio in a row, and more as time passes", () => {
  let time = 0;
  const rate = createRoundRate(() => time);
  for (let round = 0; round < 20; round += 1) assert.ok(rate.ended(false), `round ${round}`);
  assert.equal(rate.ended(false), false);
  time += 3_000;
  assert.ok(rate.ended(false));
});

it("never ends a socket whose rounds give audio", () => {
  const rate = createRoundRate(() => 0);
  for (let round = 0; round < 10_000; round += 1) assert.ok(rate.ended(true));
  assert.equal(rate.delayMs, 0);
});

it("waits longer after each failure, up to a second, and not at all after audio", () => {
  const rate = createRoundRate(() => 0);
  const delays = Array.from({ length: 7 }, () => {
    rate.ended(false);
    return rate.delayMs;
  });
  assert.deepEqual(delays, [50, 100, 200, 400, 800, 1000, 1000]);
  rate.ended(true);
  assert.equal(rate.delayMs, 0);
});
