import assert from "node:assert/strict";
import { it } from "node:test";
import { createChannel } from "./channel.ts";

it("gives the reader all values in order and reports each one", async () => {
  let taken = 0;
  let closed = 0;
  const channel = createChannel<number>(
    () => taken++,
    () => closed++,
  );
  channel.push(1);
  const read: number[] = [];
  const reading = (async () => {
    for await (const value of channel) read.push(value);
  })();
  await new Promise((resolve) => setImmediate(resolve));
  channel.push(2);
  channel.end();
  await reading;
  assert.deepEqual([read, taken, closed], [[1, 2], 2, 1]);
});

it("ends the reader with the first failure, before values that wait", async () => {
  let closed = false;
  const channel = createChannel<number>(
    () => {},
    () => {
      closed = true;
    },
  );
  channel.push(1);
  channel.fail(new Error("first"));
  channel.fail(new Error("second"));
  await assert.rejects(async () => {
    for await (const _ of channel);
  }, /first/);
  assert.equal(closed, true);
});

it("notices a reader that stops early", async () => {
  let closed = false;
  const channel = createChannel<number>(
    () => {},
    () => {
      closed = true;
    },
  );
  channel.push(1);
  for await (const _ of channel) break;
  assert.equal(closed, true);
});
