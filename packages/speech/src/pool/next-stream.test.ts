import assert from "node:assert/strict";
import { test } from "node:test";
import { nextStream } from "./next-stream.ts";

test("the stream that runs out of audio first is served first", () => {
  const long = { credit: 1, emptyAt: 9_000 };
  const fresh = { credit: 1, emptyAt: 1_000 };
  assert.equal(nextStream([long, fresh]), fresh);
});

test("a stream without credit waits", () => {
  const slowReader = { credit: 0, emptyAt: 0 };
  const other = { credit: 1, emptyAt: 5_000 };
  assert.equal(nextStream([slowReader, other]), other);
  assert.equal(nextStream([slowReader]), undefined);
});

test("equal streams are served alternately", () => {
  const streams = [0, 1, 2].map((id) => ({ id, credit: 99, emptyAt: 0 }));
  const served: number[] = [];
  for (let step = 0; step < 9; step++) {
    const next = nextStream(streams);
    if (!next) break;
    served.push(next.id);
    next.emptyAt += 700;
  }
  assert.deepEqual(served, [0, 1, 2, 0, 1, 2, 0, 1, 2]);
});
