import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { inParallel } from "./in-parallel.ts";

const never = new AbortController().signal;

test("results keep their order, and no more than allowed run at once", async () => {
  let running = 0;
  let most = 0;
  const results = await inParallel([5, 1, 3, 2, 4], 2, never, async (value) => {
    most = Math.max(most, ++running);
    await sleep(value);
    running--;
    return value * 10;
  });
  assert.deepEqual(results, [50, 10, 30, 20, 40]);
  assert.equal(most, 2);
});

test("the first failure stops what runs and what waits", async () => {
  const begun: number[] = [];
  const stopped: number[] = [];
  const work = inParallel([1, 2, 3, 4], 2, never, async (value, signal) => {
    begun.push(value);
    if (value === 1) throw new Error("one is broken");
    await sleep(60_000, undefined, { signal }).catch(() => stopped.push(value));
  });
  await assert.rejects(work, /one is broken/);
  assert.deepEqual([begun, stopped], [[1, 2], [2]]);
});

test("a caller who leaves ends it with his reason", async () => {
  const gone = new AbortController();
  const work = inParallel([1, 2], 1, gone.signal, (_, signal) => sleep(60_000, undefined, { signal }));
  gone.abort(new Error("left"));
  await assert.rejects(work, /left/);
});
