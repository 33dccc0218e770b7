import assert from "node:assert/strict";
import { it } from "node:test";
import { SpeechError } from "../../speech.ts";
import { createStartLine } from "./start-queue.ts";

const never = new AbortController().signal;

it("lets so many begin at a time, and the others in the order in which they came", async () => {
  const line = createStartLine(2);
  const order: number[] = [];
  const gone: (() => void)[] = [];
  const all = [0, 1, 2, 3].map(async (who) => {
    const begun = await line.enter(60_000, never);
    order.push(who);
    gone.push(begun);
  });
  await Promise.all(all.slice(0, 2));
  assert.deepEqual(order, [0, 1]);
  assert.equal(line.waiting, 2);
  // Twice from the same place is once.
  gone[0]?.();
  gone[0]?.();
  await all[2];
  assert.deepEqual(order, [0, 1, 2]);
  gone[1]?.();
  await all[3];
  for (const begun of gone) begun();
  (await line.enter(60_000, never))();
  assert.equal(line.waiting, 0);
});

it("gives up on waiting after a while, and when the caller leaves, and forgets both", async () => {
  const line = createStartLine(1);
  const first = await line.enter(60_000, never);
  await assert.rejects(
    line.enter(20, never),
    (error) => error instanceof SpeechError && error.code === "overloaded" && error.retryAfterSeconds === 1,
  );
  const leaving = new AbortController();
  const waiting = line.enter(60_000, leaving.signal);
  leaving.abort(new Error("gone"));
  await assert.rejects(waiting, /gone/);
  assert.equal(line.waiting, 0);
  first();
  (await line.enter(60_000, never))();
});
