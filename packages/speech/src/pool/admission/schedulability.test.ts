import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { fits, hasRoom, later, type Need, secondsUntilRoom } from "./schedulability.ts";

const need = fc.record({
  share: fc.double({ min: 0.01, max: 0.6, noNaN: true }),
  ahead: fc.double({ min: 0, max: 20, noNaN: true }),
  left: fc.double({ min: 0, max: 30, noNaN: true }),
});
const needs = fc.array(need, { maxLength: 12 });
/** Too many for the machine, mostly. */
const crowd = fc.array(
  fc.record({
    share: fc.double({ min: 0.2, max: 0.6, noNaN: true }),
    ahead: fc.double({ min: 0, max: 3, noNaN: true }),
    left: fc.double({ min: 5, max: 30, noNaN: true }),
  }),
  { minLength: 4, maxLength: 12 },
);

/** Plays all of them while the one that runs dry first is served first. Whether anybody ever waits. */
function anybodyWaits(all: readonly Need[], part: number): boolean {
  const step = 0.01;
  const listeners = all.map(({ share, ahead, left }) => ({ share, ahead, left }));
  for (let time = 0; time < 60 && listeners.some(({ left }) => left > 0); time += step) {
    let work = part * step;
    while (work > 1e-12) {
      const next = listeners.filter(({ left }) => left > 0).sort((a, b) => a.ahead - b.ahead)[0];
      if (!next) break;
      // A little for each, so that those who are equally dry take turns.
      const made = Math.min(work / next.share, next.left, 0.002);
      next.ahead += made;
      next.left -= made;
      work -= made * next.share;
    }
    for (const listener of listeners) {
      listener.ahead -= step;
      if (listener.left > 1e-9 && listener.ahead < -0.1) return true;
    }
  }
  return false;
}

describe("streams that fit on the machine", () => {
  it("are all kept ahead of their playback when who runs dry first is served first", () => {
    fc.assert(
      fc.property(needs, (all) => {
        fc.pre(fits(all, 0.9));
        return !anybodyWaits(all, 0.9);
      }),
      { numRuns: 60 },
    );
  });

  it("leave somebody waiting when they do not fit", () => {
    fc.assert(
      fc.property(crowd, (all) => {
        // Far enough beyond what is possible that no grain of the simulation hides it.
        fc.pre(!fits(all, 1.3));
        return anybodyWaits(all, 0.9);
      }),
      { numRuns: 60 },
    );
  });

  it("still fit when one of them leaves, and when one has less to come or more in hand", () => {
    fc.assert(
      fc.property(needs, fc.nat(), (all, pick) => {
        fc.pre(all.length > 0 && fits(all, 0.7));
        const at = pick % all.length;
        const change = (by: (one: Need) => Need) => all.map((one, index) => (index === at ? by(one) : one));
        assert.ok(fits(all.toSpliced(at, 1), 0.7));
        assert.ok(
          fits(
            change((one) => ({ ...one, left: one.left / 2 })),
            0.7,
          ),
        );
        assert.ok(
          fits(
            change((one) => ({ ...one, ahead: one.ahead + 1 })),
            0.7,
          ),
        );
      }),
    );
  });

  it("are any number when all of their audio is made", () => {
    assert.ok(fits(Array(1000).fill({ share: 0.5, ahead: 0, left: 0 }), 0.1));
  });

  it("are more when some of them have a lead", () => {
    const dry = { share: 0.3, ahead: 0, left: 10 };
    assert.ok(!fits([dry, dry, dry], 0.7));
    assert.ok(fits([dry, dry, { ...dry, ahead: 10 }], 0.7));
  });
});

describe("room for one more", () => {
  const promised = { part: 0.7, lead: 4, within: 2 };

  it("is there only while all can soon have a lead, so that not too many begin together", () => {
    const young = { share: 0.03, ahead: 0, left: 20 };
    const settled = { ...young, ahead: 8 };
    const most = Array.from({ length: 11 }, () => young);
    assert.ok(hasRoom(most, promised));
    assert.ok(!hasRoom([...most, young], promised));
    assert.ok(fits([...most, young], promised.part));
    assert.ok(hasRoom([...most, ...Array(5).fill(settled)], promised));
  });

  it("never is there where they do not fit", () => {
    fc.assert(fc.property(crowd, (all) => fits(all, promised.part) || !hasRoom(all, promised)));
  });
});

describe("time that passes", () => {
  it("makes no more than the machine can, and loses nothing", () => {
    fc.assert(
      fc.property(needs, fc.double({ min: 0.1, max: 5, noNaN: true }), (all, seconds) => {
        const after = later(all, seconds, 0.8);
        const work = (some: readonly Need[]) => some.reduce((sum, { share, left }) => sum + share * left, 0);
        const done = work(all) - work(after);
        assert.ok(done <= 0.8 * seconds + 1e-6, `${done} in ${seconds} s`);
        // Nobody idles while there is work.
        assert.ok(done >= Math.min(0.8 * seconds, work(all)) - 1e-6);
      }),
    );
  });
});

describe("the time to come back", () => {
  const running: Need[] = Array(10).fill({ share: 0.07, ahead: 0, left: 20 });
  const newcomer: Need = { share: 0.07, ahead: 0, left: 10 };
  const promised = { part: 0.7, lead: 2, within: 2 };
  const question = { running, newcomer, expected: [], promised, mostSeconds: 60 };

  it("is a time at which there is room", () => {
    fc.assert(
      fc.property(crowd, need, (all, one) => {
        fc.pre(one.left > 0 && !hasRoom([...all, one], promised));
        const seconds = secondsUntilRoom({ ...question, running: all, newcomer: one });
        fc.pre(seconds < 60);
        let then: readonly Need[] = all;
        for (let second = 0; second < seconds; second++) then = later(then, 1, 1);
        then = then.filter(({ left }) => left > 0);
        return then.length === 0 || hasRoom([...then, one], promised);
      }),
    );
  });

  it("is later for each who is told, so that not all come back at once", () => {
    const expected: number[] = [];
    for (let count = 0; count < 12; count++) expected.push(secondsUntilRoom({ ...question, expected }));
    assert.ok(expected.every((seconds, index) => index === 0 || seconds >= (expected[index - 1] ?? 0)));
    assert.ok((expected.at(-1) ?? 0) > (expected[0] ?? 0), expected.join());
  });

  it("is from one second to the most that may be said", () => {
    const endless = { ...question, running: [{ share: 1, ahead: 0, left: 10_000 }] };
    assert.equal(secondsUntilRoom(endless), 60);
    assert.equal(secondsUntilRoom({ ...question, running: [] }), 1);
  });
});
