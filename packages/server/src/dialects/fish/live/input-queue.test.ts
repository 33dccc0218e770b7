import assert from "node:assert/strict";
import { it } from "node:test";
import type { LiveInput } from "@parlance/speech";
import fc from "fast-check";
import { createInputQueue } from "./input-queue.ts";

const texts = (inputs: readonly LiveInput[]) => inputs.map((input) => ("text" in input ? input.text : "⏎"));

async function read(queue: AsyncIterable<LiveInput>): Promise<LiveInput[]> {
  const inputs: LiveInput[] = [];
  for await (const input of queue) inputs.push(input);
  return inputs;
}

it("gives the text in order with its flushes, for any pieces and any reader", async () => {
  const steps = fc.array(fc.oneof(fc.string({ unit: "grapheme" }), fc.constant("flush" as const)), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(steps, fc.boolean(), async (given, early) => {
      const queue = createInputQueue(() => {});
      const reading = early ? read(queue) : undefined;
      for (const step of given) {
        if (step === "flush") queue.flush();
        else for (const unit of step.split("")) queue.push(unit);
        if (early) await Promise.resolve();
      }
      queue.end();
      const inputs = await (reading ?? read(queue));
      const whole = (parts: readonly string[]) => parts.join("").replace(/⏎+/g, "⏎");
      assert.equal(whole(texts(inputs)), whole(given.map((step) => (step === "flush" ? "⏎" : step))));
      for (const text of texts(inputs)) assert.doesNotMatch(text, /\p{Surrogate}/u);
      assert.equal(queue.size, 0);
      assert.equal(queue.characters, [...given.filter((step) => step !== "flush").join("")].length);
    }),
  );
});

it("reports its size, and when it has become smaller", async () => {
  let notifications = 0;
  const queue = createInputQueue(() => {
    notifications += 1;
  });
  queue.push("x".repeat(1000));
  const one = queue.size;
  assert.ok(one >= 1000 && one < 1100);
  queue.push("y".repeat(1000));
  assert.equal(queue.size, one + 1000, "pieces are joined");
  await queue[Symbol.asyncIterator]().next();
  assert.deepEqual([queue.size, notifications], [0, 1]);
});

it("wakes its reader when it is closed, and drops the rest", async () => {
  const queue = createInputQueue(() => {});
  const reading = read(queue);
  await Promise.resolve();
  queue.push("a");
  queue.close();
  queue.push("late");
  assert.deepEqual(await reading, []);
});
