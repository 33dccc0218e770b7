import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { MAX_WINDOWS, planWindows } from "./voice-windows.ts";

describe("windows of speech", () => {
  test("overlap, lie inside their region, and reach its end", () => {
    const windows = planWindows([
      { from: 1, to: 1.3 },
      { from: 2, to: 2.8 },
      { from: 5, to: 8.2 },
    ]);
    assert.deepEqual(windows[0], { from: 2, to: 2.8 });
    const long = windows.slice(1);
    assert.ok(long.every(({ from, to }) => from >= 5 && to <= 8.2 && to - from <= 1.5 + 1e-9));
    assert.equal(long.at(-1)?.to, 8.2);
    assert.ok(long.length >= 4);
  });

  test("are never more than can be compared", () => {
    const hours = Array.from({ length: 40 }, (_, index) => ({ from: index * 100, to: index * 100 + 99 }));
    assert.ok(planWindows(hours).length <= MAX_WINDOWS);
    const many = Array.from({ length: 9000 }, (_, index) => ({ from: index, to: index + 0.9 }));
    assert.ok(planWindows(many).length <= MAX_WINDOWS);
    // The whole recording is heard.
    assert.ok((planWindows(hours).at(-1)?.to ?? 0) > 3900);
    assert.ok((planWindows(many).at(-1)?.to ?? 0) > 8900);
  });
});
