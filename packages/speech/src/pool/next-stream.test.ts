import assert from "node:assert/strict";
import { test } from "node:test";
import { nextStream } from "./next-stream.ts";

const pace = { now: 0, startMs: 60 };
const playing = { credit: 1, isNew: false };
const starting = { credit: 1, isNew: true };

test("the stream that runs out of audio first is served first", () => {
  const long = { ...playing, emptyAt: 9_000 };
  const short = { ...playing, emptyAt: 1_000 };
  assert.equal(nextStream([long, short], pace), short);
});

test("a stream without credit waits", () => {
  const slowReader = { ...playing, credit: 0, emptyAt: 0 };
  const other = { ...playing, emptyAt: 5_000 };
  assert.equal(nextStream([slowReader, other], pace), other);
  assert.equal(nextStream([slowReader], pace), undefined);
});

test("equal streams are served alternately", () => {
  const streams = [0, 1, 2].map((id) => ({ ...playing, id, credit: 99, emptyAt: 0 }));
  const served: number[] = [];
  for (let step = 0; step < 9; step++) {
    const next = nextStream(streams, pace);
    if (!next) break;
    served.push(next.id);
    next.emptyAt += 700;
  }
  assert.deepEqual(served, [0, 1, 2, 0, 1, 2, 0, 1, 2]);
});

test("a new stream goes before those that have enough to play", () => {
  const fresh = { ...starting, emptyAt: 0 };
  assert.equal(nextStream([{ ...playing, emptyAt: 500 }, fresh], pace), fresh);
});

test("a stream that would run dry meanwhile goes before a new one, but not for ever", () => {
  const fresh = { ...starting, emptyAt: 0 };
  const dry = { ...playing, emptyAt: 1_060 };
  assert.equal(nextStream([fresh, dry], { ...pace, now: 990 }), dry);
  assert.equal(nextStream([fresh, dry], { ...pace, now: 1_000 }), fresh);
});

test("many streams start together without a gap in any of them", () => {
  const [firstMs, nextMs, firstPlays, nextPlays] = [60, 35, 250, 1_200];
  const streams = Array.from({ length: 10 }, () => ({ ...starting, credit: 9, emptyAt: 0 }));
  let now = 0;
  for (let made = 0; made < 20; made++) {
    const stream = nextStream(streams, { now, startMs: firstMs });
    if (!stream) break;
    now += stream.isNew ? firstMs : nextMs;
    assert.ok(stream.isNew || now < stream.emptyAt, "it has run dry");
    stream.emptyAt = Math.max(stream.emptyAt, now) + (stream.isNew ? firstPlays : nextPlays);
    stream.isNew = false;
  }
  assert.ok(streams.every(({ isNew }) => !isNew));
});
