import assert from "node:assert/strict";
import { it } from "node:test";
import { createChannel } from "./channel.ts";

function watchedChannel() {
  const counts = { taken: 0, closed: 0 };
  const channel = createChannel<number>(
    () => counts.taken++,
    () => counts.closed++,
  );
  return { channel, counts };
}

it("gives the reader all values in order and reports each one", async () => {
  const { channel, counts } = watchedChannel();
  channel.push(1);
  const read: number[] = [];
  const reading = (async () => {
    for await (const value of channel) read.push(value);
  })();
  await new Promise((resolve) => setImmediate(resolve));
  channel.push(2);
  channel.end();
  await reading;
  assert.deepEqual([read, counts], [[1, 2], { taken: 2, closed: 1 }]);
});

it("ends the reader with the first failure, before values that wait", async () => {
  const { channel, counts } = watchedChannel();
  channel.push(1);
  channel.fail(new Error("first"));
  channel.fail(new Error("second"));
  await assert.rejects(async () => {
    for await (const _ of channel);
  }, /first/);
  assert.equal(counts.closed, 1);
});

it("notices a reader that stops early", async () => {
  const { channel, counts } = watchedChannel();
  channel.push(1);
  for await (const _ of channel) break;
  assert.equal(counts.closed, 1);
});
