import assert from "node:assert/strict";
import { it } from "node:test";
import { createWakeup } from "./wakeup.ts";

const never = new AbortController().signal;

it("wakes the waiting task, and keeps a notification that came before", async () => {
  const wakeup = createWakeup();
  const waiting = wakeup.wait(never, 60);
  wakeup.notify();
  assert.equal(await waiting, true);
  wakeup.notify();
  assert.equal(await wakeup.wait(never, 60), true);
});

it("returns false after the time and when the signal aborts", async () => {
  const wakeup = createWakeup();
  assert.equal(await wakeup.wait(never, 0.001), false);
  const controller = new AbortController();
  const waiting = wakeup.wait(controller.signal);
  controller.abort();
  assert.equal(await waiting, false);
  assert.equal(await wakeup.wait(controller.signal), false);
});
