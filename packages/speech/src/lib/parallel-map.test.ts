import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { untilCollected } from "../testing/until-collected.ts";
import { parallelMap } from "./parallel-map.ts";

const never = new AbortController().signal;

test("results keep their order, and no more than the limit run at a time", async () => {
  let running = 0;
  let max = 0;
  const results = await parallelMap([5, 1, 3, 2, 4], 2, never, async (value) => {
    max = Math.max(max, ++running);
    await sleep(value);
    running--;
    return value * 10;
  });
  assert.deepEqual(results, [50, 10, 30, 20, 40]);
  assert.equal(max, 2);
});

test("the first failure stops what runs and what waits", async () => {
  const started: number[] = [];
  const stopped: number[] = [];
  const work = parallelMap([1, 2, 3, 4], 2, never, async (value, signal) => {
    started.push(value);
    if (value === 1) throw new Error("one failed");
    await sleep(60_000, undefined, { signal }).catch(() => stopped.push(value));
  });
  await assert.rejects(work, /one failed/);
  assert.deepEqual([started, stopped], [[1, 2], [2]]);
});

test("an aborted signal ends it with its reason", async () => {
  const controller = new AbortController();
  const work = parallelMap([1, 2], 1, controller.signal, (_, signal) => sleep(60_000, undefined, { signal }));
  controller.abort(new Error("aborted"));
  await assert.rejects(work, /aborted/);
});

test("leaves nothing of the signal, whatever listens to it", { timeout: 30_000 }, async () => {
  const signals: WeakRef<AbortSignal>[] = [];
  await parallelMap([1], 1, never, async (_value, signal) => {
    signal.addEventListener("abort", () => {});
    signals.push(new WeakRef(signal));
  });
  assert.equal(signals.length, 1);
  await untilCollected(signals[0]);
});
