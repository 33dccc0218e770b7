import assert from "node:assert/strict";
import { test } from "node:test";
import { nextTurn } from "./window-order.ts";

test("the listener who runs dry first is served first", () => {
  const long = { credit: 1, runsDry: 9_000 };
  const fresh = { credit: 1, runsDry: 1_000 };
  assert.equal(nextTurn([long, fresh]), fresh);
});

test("a stream without credit waits, however urgent it is", () => {
  const slowReader = { credit: 0, runsDry: 0 };
  const other = { credit: 1, runsDry: 5_000 };
  assert.equal(nextTurn([slowReader, other]), other);
  assert.equal(nextTurn([slowReader]), undefined);
});

test("equal streams take turns as each one's audio grows", () => {
  const streams = [0, 1, 2].map((id) => ({ id, credit: 99, runsDry: 0 }));
  const served: number[] = [];
  for (let turn = 0; turn < 9; turn++) {
    const next = nextTurn(streams);
    if (!next) break;
    served.push(next.id);
    next.runsDry += 700;
  }
  assert.deepEqual(served, [0, 1, 2, 0, 1, 2, 0, 1, 2]);
});
