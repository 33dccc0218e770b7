import assert from "node:assert/strict";
import { it } from "node:test";
import { createSlots } from "./slots.ts";

const never = new AbortController().signal;
const refusal = () => new Error("refused");

it("grants all slots, then one for each that is released, in order", async () => {
  const slots = createSlots({ capacity: 2, refusal });
  const order: number[] = [];
  const releases: (() => void)[] = [];
  const all = [0, 1, 2, 3].map(async (caller) => {
    const release = await slots.enter(never, 60_000);
    order.push(caller);
    releases.push(release);
  });
  await Promise.all(all.slice(0, 2));
  assert.deepEqual(order, [0, 1]);
  assert.equal(slots.waiting, 2);
  // Released twice counts once.
  releases[0]?.();
  releases[0]?.();
  await all[2];
  assert.deepEqual(order, [0, 1, 2]);
  releases[1]?.();
  await all[3];
  for (const release of releases) release();
  (await slots.enter(never))();
  assert.equal(slots.waiting, 0);
});

it("stops waiting after the timeout and when the signal aborts", async () => {
  const slots = createSlots({ capacity: 1, refusal });
  const release = await slots.enter(never);
  await assert.rejects(slots.enter(never, 20), /refused/);
  const controller = new AbortController();
  const waiting = slots.enter(controller.signal, 60_000);
  controller.abort(new Error("aborted"));
  await assert.rejects(waiting, /aborted/);
  await assert.rejects(slots.enter(controller.signal), /aborted/);
  assert.equal(slots.waiting, 0);
  release();
  (await slots.enter(never))();
});

it("refuses at once when too many wait", async () => {
  const slots = createSlots({ capacity: 1, maxWaiting: 1, refusal });
  const release = await slots.enter(never);
  const second = slots.enter(never);
  await assert.rejects(slots.enter(never), /refused/);
  release();
  (await second)();
});
