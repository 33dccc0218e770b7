import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { hasCapacity, isSchedulable, needsAfter, type StreamNeed } from "./schedulability.ts";

const need = fc.record({
  share: fc.double({ min: 0.01, max: 0.6, noNaN: true }),
  ahead: fc.double({ min: 0, max: 20, noNaN: true }),
  left: fc.double({ min: 0, max: 30, noNaN: true }),
});
const needs = fc.array(need, { maxLength: 12 });
/** Mostly too many for the machine. */
const overload = fc.array(
  fc.record({
    share: fc.double({ min: 0.2, max: 0.6, noNaN: true }),
    ahead: fc.double({ min: 0, max: 3, noNaN: true }),
    left: fc.double({ min: 5, max: 30, noNaN: true }),
  }),
  { minLength: 4, maxLength: 12 },
);

/** Simulates earliest deadline first. Whether the playback of any stream stalls. */
function stalls(all: readonly StreamNeed[], capacity: number): boolean {
  const step = 0.01;
  const streams = all.map(({ share, ahead, left }) => ({ share, ahead, left }));
  for (let time = 0; time < 60 && streams.some(({ left }) => left > 0); time += step) {
    let work = capacity * step;
    while (work > 1e-12) {
      const next = streams.filter(({ left }) => left > 0).sort((a, b) => a.ahead - b.ahead)[0];
      if (!next) break;
      // In small amounts, so that streams with equal buffers are served alternately.
      const made = Math.min(work / next.share, next.left, 0.002);
      next.ahead += made;
      next.left -= made;
      work -= made * next.share;
    }
    for (const stream of streams) {
      stream.ahead -= step;
      if (stream.left > 1e-9 && stream.ahead < -0.1) return true;
    }
  }
  return false;
}

describe("a schedulable set of streams", () => {
  it("never stalls under earliest deadline first", () => {
    fc.assert(
      fc.property(needs, (all) => {
        fc.pre(isSchedulable(all, 0.9));
        return !stalls(all, 0.9);
      }),
      { numRuns: 60 },
    );
  });

  it("stalls when it is not schedulable", () => {
    fc.assert(
      fc.property(overload, (all) => {
        // Far enough above the capacity that the step of the simulation does not matter.
        fc.pre(!isSchedulable(all, 1.3));
        return stalls(all, 0.9);
      }),
      { numRuns: 60 },
    );
  });

  it("stays schedulable when a stream ends, has less left or a longer lead", () => {
    fc.assert(
      fc.property(needs, fc.nat(), (all, pick) => {
        fc.pre(all.length > 0 && isSchedulable(all, 0.7));
        const at = pick % all.length;
        const change = (by: (one: StreamNeed) => StreamNeed) => all.map((one, index) => (index === at ? by(one) : one));
        assert.ok(isSchedulable(all.toSpliced(at, 1), 0.7));
        assert.ok(
          isSchedulable(
            change((one) => ({ ...one, left: one.left / 2 })),
            0.7,
          ),
        );
        assert.ok(
          isSchedulable(
            change((one) => ({ ...one, ahead: one.ahead + 1 })),
            0.7,
          ),
        );
      }),
    );
  });

  it("may have any number of streams without audio left", () => {
    assert.ok(isSchedulable(Array(1000).fill({ share: 0.5, ahead: 0, left: 0 }), 0.1));
  });

  it("may have more streams when some have a lead", () => {
    const dry = { share: 0.3, ahead: 0, left: 10 };
    assert.ok(!isSchedulable([dry, dry, dry], 0.7));
    assert.ok(isSchedulable([dry, dry, { ...dry, ahead: 10 }], 0.7));
  });
});

describe("capacity for one more stream", () => {
  const guarantee = { capacity: 0.7, lead: 4, within: 2 };

  it("is only there while all streams can reach a lead soon, so that not too many start together", () => {
    const starting = { share: 0.03, ahead: 0, left: 20 };
    const running = { ...starting, ahead: 8 };
    const max = Array.from({ length: 11 }, () => starting);
    assert.ok(hasCapacity(max, guarantee));
    assert.ok(!hasCapacity([...max, starting], guarantee));
    assert.ok(isSchedulable([...max, starting], guarantee.capacity));
    assert.ok(hasCapacity([...max, ...Array(5).fill(running)], guarantee));
  });

  it("is never there when the streams are not schedulable", () => {
    fc.assert(fc.property(overload, (all) => isSchedulable(all, guarantee.capacity) || !hasCapacity(all, guarantee)));
  });
});

describe("the needs after some time", () => {
  it("are reduced by exactly the work that the machine can do", () => {
    fc.assert(
      fc.property(needs, fc.double({ min: 0.1, max: 5, noNaN: true }), (all, seconds) => {
        const after = needsAfter(all, seconds, 0.8);
        const work = (some: readonly StreamNeed[]) => some.reduce((sum, { share, left }) => sum + share * left, 0);
        const done = work(all) - work(after);
        assert.ok(done <= 0.8 * seconds + 1e-6, `${done} in ${seconds} s`);
        // The machine is not idle while there is work.
        assert.ok(done >= Math.min(0.8 * seconds, work(all)) - 1e-6);
      }),
    );
  });
});
