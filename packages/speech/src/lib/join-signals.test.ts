import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { it } from "node:test";
import { joinSignals } from "./join-signals.ts";

it("aborts with the first of its sources, also one that has aborted before", () => {
  for (const first of [0, 1]) {
    const sources = [new AbortController(), new AbortController()];
    const { signal } = joinSignals(...sources.map((source) => source.signal));
    assert.equal(signal.aborted, false);
    sources[first]?.abort("first");
    sources[1 - first]?.abort("second");
    assert.deepEqual([signal.aborted, signal.reason], [true, "first"]);
    const late = joinSignals(AbortSignal.abort("before"), new AbortController().signal);
    assert.deepEqual([late.signal.aborted, late.signal.reason], [true, "before"]);
  }
});

it("leaves nothing in its sources when it is released or aborted", () => {
  const closing = new AbortController();
  const listeners = () => getEventListeners(closing.signal, "abort").length;
  const request = new AbortController();
  const released = joinSignals(request.signal, closing.signal);
  const aborted = joinSignals(request.signal, closing.signal);
  assert.equal(listeners(), 2);
  released.release();
  assert.equal(listeners(), 1);
  request.abort();
  assert.equal(listeners(), 0);
  assert.deepEqual([released.signal.aborted, aborted.signal.aborted], [false, true]);
});
