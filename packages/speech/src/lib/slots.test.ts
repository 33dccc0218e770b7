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
    const release = await slots.enter(never, { timeoutMs: 60_000 });
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
  await assert.rejects(slots.enter(never, { timeoutMs: 20 }), /refused/);
  const controller = new AbortController();
  const waiting = slots.enter(controller.signal, { timeoutMs: 60_000 });
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

/** Enters, and notes each caller when it gets its slot. */
function createQueue(capacity: number) {
  const slots = createSlots({ capacity, refusal });
  const order: string[] = [];
  const releases = new Map<string, () => void>();
  return {
    order,
    async enter(owner: string, call: number, signal = never) {
      const release = await slots.enter(signal, { owner });
      order.push(`${owner} ${call}`);
      releases.set(`${owner} ${call}`, release);
    },
    async release(caller: string) {
      releases.get(caller)?.();
      await new Promise(setImmediate);
    },
  };
}

it("serves owners in turn, however many of their callers wait", async () => {
  const { order, enter, release } = createQueue(1);
  const all = [1, 2, 3].map((call) => enter("ada", call));
  all.push(enter("bob", 1), enter("bob", 2), enter("eve", 1));
  await all[0];
  for (let ended = 0; ended < 6; ended++) await release(order[ended] ?? assert.fail("nobody has a slot"));
  assert.deepEqual(order, ["ada 1", "bob 1", "eve 1", "ada 2", "bob 2", "ada 3"]);
  await Promise.all(all);
});

it("leaves a slot to other owners, where there are several", async () => {
  const { order, enter, release } = createQueue(3);
  const all = [1, 2, 3, 4].map((call) => enter("ada", call));
  await Promise.all(all.slice(0, 2));
  assert.deepEqual(order, ["ada 1", "ada 2"]);
  await enter("bob", 1);
  all.push(enter("bob", 2));
  await release("ada 1");
  await release("ada 2");
  assert.deepEqual(order.slice(2), ["bob 1", "bob 2", "ada 3"], "the owner whose turn is over goes last");
  await release("ada 3");
  await Promise.all(all);
});

it("passes over a caller that has stopped waiting", async () => {
  const { order, enter, release } = createQueue(1);
  const controller = new AbortController();
  const leaving = [enter("ada", 1), enter("bob", 1, controller.signal), enter("bob", 2), enter("ada", 2)];
  controller.abort(new Error("aborted"));
  await assert.rejects(leaving[1] ?? assert.fail(), /aborted/);
  await release("ada 1");
  await release("bob 2");
  assert.deepEqual(order, ["ada 1", "bob 2", "ada 2"]);
});
