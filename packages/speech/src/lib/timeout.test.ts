import assert from "node:assert/strict";
import { it } from "node:test";
import { withTimeout } from "./timeout.ts";

const never = new AbortController().signal;
const pending = new Promise<string>(() => {});

it("gives the result of a promise that settles in time", async () => {
  assert.equal(await withTimeout(60_000, Promise.resolve("done"), never), "done");
  await assert.rejects(withTimeout(60_000, Promise.reject(new Error("broken")), never), /broken/);
});

it("gives undefined after the timeout and when the signal aborts", async () => {
  assert.equal(await withTimeout(5, pending, never), undefined);
  const controller = new AbortController();
  const waiting = withTimeout(60_000, pending, controller.signal);
  controller.abort();
  assert.equal(await waiting, undefined);
  assert.equal(await withTimeout(60_000, Promise.resolve("late"), controller.signal), undefined);
});
