import assert from "node:assert/strict";
import { test } from "node:test";
import { createTextDelivery } from "./text-delivery.ts";

const unexpected = (error: unknown): void => assert.fail(String(error));
const words = (...texts: readonly string[]) =>
  texts.map((text) => ({ text, start: 0, end: 0, joined: /\p{Script=Han}/u.test(text) }));

test("text is delivered in the order of the spans, however they finish", async () => {
  const pieces: string[] = [];
  const deliver = createTextDelivery((piece) => pieces.push(piece), Promise.resolve(), unexpected);
  await Promise.resolve();
  deliver(1, words("second", "span."));
  assert.deepEqual(pieces, []);
  deliver(0, words("The", "first,"));
  assert.deepEqual(pieces, ["The first,", " second span."]);
  deliver(2, []);
  deliver(3, words("End."));
  assert.equal(pieces.join(""), "The first, second span. End.");
});

test("nothing is delivered before the transcript is accepted", async () => {
  const pieces: string[] = [];
  let accept = (): void => {};
  const accepted = new Promise<void>((resolve) => {
    accept = resolve;
  });
  const deliver = createTextDelivery((piece) => pieces.push(piece), accepted, unexpected);
  deliver(0, words("一"));
  deliver(1, words("二"));
  await Promise.resolve();
  assert.deepEqual(pieces, []);
  accept();
  await accepted;
  await Promise.resolve();
  assert.deepEqual(pieces, ["一", "二"]);
});

test("an error of the receiver that nobody waits for is reported", { timeout: 10_000 }, async () => {
  const failure = new Error("the receiver has gone");
  const fail = (): void => {
    throw failure;
  };
  let accept = (): void => {};
  const accepted = new Promise<void>((resolve) => {
    accept = resolve;
  });
  const reported = new Promise((resolve) => {
    const deliver = createTextDelivery(fail, accepted, resolve);
    deliver(0, words("One."));
  });
  accept();
  assert.equal(await reported, failure);
});
