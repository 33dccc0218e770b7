import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { createScratch } from "../lib/scratch.ts";
import { concatSamples, noise, peak, pieces, tone } from "../testing/signals.ts";
import type { Boundary } from "../text/types.ts";
import { createJoiner, MAX_PAUSE_SECONDS, PAUSE_SECONDS, TAIL_SECONDS } from "./chunk-joiner.ts";

const RATE = 24000;
const LEAD = 0.03 * RATE;
const TRAIL = 0.04 * RATE;
const HOP = 0.005 * RATE;

interface Chunk {
  readonly samples: Float32Array;
  readonly boundary: Boundary;
  readonly pauseAfter: number;
}

function chunk(samples: Float32Array, boundary: Boundary = "sentence", pauseAfter = 0): Chunk {
  return { samples, boundary, pauseAfter };
}

/** Sound with edges of 2 ms, and this much silence before and after it. */
function speech(before: number, seconds: number, after: number, floor = 0): Float32Array {
  const sound = tone(RATE, seconds, 440, 0.3).map((sample, i) => sample + 0.1 * Math.cos(i / 3));
  const edge = 0.002 * RATE;
  const shaped = sound.map((sample, i) => sample * Math.min(1, i / edge, (sound.length - 1 - i) / edge));
  const samples = noise(before + sound.length + after, floor);
  samples.set(shaped, before);
  return samples;
}

function join(chunks: readonly Chunk[], { speed = 1, sizes = [] as readonly number[], reuses = false } = {}) {
  const joiner = createJoiner({ sampleRate: RATE, speed, allocate: reuses ? createScratch() : undefined });
  const output: Float32Array[] = [];
  const placements = chunks.map(({ samples, boundary, pauseAfter }) => {
    output.push(joiner.startChunk());
    for (const piece of pieces(samples, sizes)) {
      const ready = joiner.push(piece);
      output.push(reuses ? ready.slice() : ready);
    }
    output.push(joiner.endChunk(boundary, pauseAfter));
    assert.ok(joiner.placement);
    return joiner.placement;
  });
  output.push(joiner.finish());
  return { output: concatSamples(output), placements };
}

describe("trimming", () => {
  test("long silences at both ends become short margins, and all samples are accounted for", () => {
    const samples = speech(6000, 0.5, 5000, 0.0004);
    const { output, placements } = join([chunk(samples)]);
    assert.deepEqual(placements, [{ start: 0, headTrimmed: 6000 - LEAD }]);
    assert.equal(output.length, LEAD + RATE / 2 + TRAIL + TAIL_SECONDS * RATE);
    // Between the fades nothing is changed.
    assert.deepEqual(output.subarray(HOP, LEAD + RATE / 2), samples.subarray(6000 - LEAD + HOP, 6000 + RATE / 2));
  });

  test("silence shorter than the margins is kept", () => {
    const samples = speech(300, 0.5, 300);
    const { output, placements } = join([chunk(samples)]);
    assert.deepEqual(placements, [{ start: 0, headTrimmed: 0 }]);
    assert.equal(output.length, samples.length + TAIL_SECONDS * RATE);
  });

  test("a pause inside a chunk stays as it is, however long", () => {
    for (const gap of [0.1, 0.4, 2]) {
      const samples = concatSamples([speech(0, 0.3, gap * RATE), speech(0, 0.3, 0)]);
      assert.equal(join([chunk(samples)]).output.length, samples.length + TAIL_SECONDS * RATE);
    }
  });

  test("the first sound is returned at once, and at most half a second is held back", () => {
    const joiner = createJoiner({ sampleRate: RATE });
    joiner.startChunk();
    assert.equal(joiner.push(new Float32Array(RATE)).length, 0);
    assert.equal(joiner.placement, undefined);
    assert.ok(peak(joiner.push(tone(RATE, 0.02, 440))) > 0.3);
    assert.deepEqual(joiner.placement, { start: 0, headTrimmed: RATE - LEAD });
    joiner.push(tone(RATE, 1, 440));
    let waiting = 0;
    for (let i = 0; i < 30; i++) {
      waiting += RATE / 10 - joiner.push(new Float32Array(RATE / 10)).length;
      assert.ok(waiting <= RATE / 2);
    }
  });

  test("silence that was released counts as part of the pause", () => {
    const long = speech(0, 0.5, 0.7 * RATE);
    const short = speech(0, 0.5, 0.04 * RATE);
    const next = chunk(speech(0, 0.5, 0));
    assert.equal(
      join([chunk(long, "sentence"), next]).output.length,
      join([chunk(short, "sentence"), next]).output.length,
    );
  });
});

describe("pauses", () => {
  const word = speech(LEAD, 0.2, TRAIL);

  test("depend on boundary, text and speed", () => {
    for (const boundary of ["clause", "sentence", "paragraph"] as const) {
      for (const pauseAfter of [0, 0.5]) {
        for (const speed of [0.5, 1, 2]) {
          const { output, placements } = join([chunk(word, boundary, pauseAfter), chunk(word)], { speed });
          const pause = Math.round(((PAUSE_SECONDS[boundary] + pauseAfter) / speed) * RATE);
          assert.equal(placements[1]?.start, word.length + pause);
          assert.equal(peak(output.subarray(word.length, word.length + pause)), 0);
          assert.equal(output.length, 2 * word.length + pause + Math.round((TAIL_SECONDS / speed) * RATE));
        }
      }
    }
  });

  test("after the last chunk are those of the text and a short tail", () => {
    const { output } = join([chunk(word, "paragraph", 1)]);
    assert.equal(output.length, word.length + (TAIL_SECONDS + 1) * RATE);
  });

  test("chunks without sound add their pause but no second boundary", () => {
    const nothing = new Float32Array(0);
    const hush = new Float32Array(RATE);
    const { output, placements } = join([
      chunk(nothing, "paragraph", 0.25),
      chunk(word, "sentence"),
      chunk(nothing, "clause", 0.5),
      chunk(hush, "sentence"),
      chunk(word),
    ]);
    const [before, between] = [0.25 * RATE, (PAUSE_SECONDS.sentence + 0.5) * RATE];
    assert.equal(placements[1]?.start, before);
    assert.equal(placements[3]?.headTrimmed, RATE);
    assert.equal(placements[4]?.start, before + word.length + between);
    assert.equal(output.length, before + 2 * word.length + between + TAIL_SECONDS * RATE);
  });

  test("are empty without chunks", () => {
    assert.equal(join([]).output.length, 0);
    assert.equal(join([chunk(new Float32Array(0)), chunk(new Float32Array(100))]).output.length, 0);
  });

  test("have an upper bound", () => {
    const { output } = join([chunk(word, "sentence", 1e9), chunk(word)]);
    assert.ok(output.length < (2 * MAX_PAUSE_SECONDS + 1) * RATE);
  });
});

describe("any chunks, divided in any way", () => {
  const anyChunk = fc
    .record({
      before: fc.nat(8000),
      seconds: fc.double({ min: 0, max: 0.3, noNaN: true }),
      after: fc.nat(20_000),
      floor: fc.constantFrom(0, 0.0002, 0.0005),
      boundary: fc.constantFrom<Boundary>("clause", "sentence", "paragraph"),
      pauseAfter: fc.constantFrom(0, 0, 0.3),
      // Some start or end inside a wave.
      cutHead: fc.constantFrom(0, 0, 2000, 5000),
      cutTail: fc.constantFrom(0, 0, 2000, 5000),
    })
    .map(({ before, seconds, after, floor, boundary, pauseAfter, cutHead, cutTail }) => {
      const whole = speech(before, seconds, after, floor);
      return chunk(whole.subarray(cutHead, Math.max(cutHead, whole.length - cutTail)), boundary, pauseAfter);
    });
  const chunks = fc.array(anyChunk, { maxLength: 4 });
  const sizes = fc.array(fc.integer({ min: 1, max: 6000 }), { minLength: 1, maxLength: 5 });

  test("give the same samples and placements", () => {
    fc.assert(
      fc.property(chunks, sizes, (all, cut) => {
        assert.deepEqual(join(all, { sizes: cut }), join(all));
        assert.deepEqual(join(all, { sizes: cut, reuses: true }), join(all));
      }),
      { numRuns: 60 },
    );
  });

  test("do not click: no step between two samples is larger than inside the speech", () => {
    fc.assert(
      fc.property(chunks, sizes, (all, cut) => {
        const { output } = join(all, { sizes: cut });
        const steps = output.map((sample, i) => sample - (output[i - 1] ?? 0));
        const inside = tone(RATE, 0.3, 440, 0.3).map((sample, i) => sample + 0.1 * Math.cos(i / 3));
        const allowed = peak(inside.slice(1).map((sample, i) => sample - (inside[i] ?? 0))) + 0.002;
        for (const step of steps) assert.ok(Math.abs(step) <= allowed, `a step of ${step}`);
      }),
      { numRuns: 60 },
    );
  });

  test("keep every sample of the sound at the reported position", () => {
    fc.assert(
      fc.property(chunks, (all) => {
        const { output, placements } = join(all);
        all.forEach(({ samples }, index) => {
          const { start, headTrimmed } = placements[index] ?? { start: 0, headTrimmed: 0 };
          const middle = samples.findIndex((sample) => Math.abs(sample) > 0.3);
          // Sound that ends inside a wave is faded.
          if (middle < headTrimmed + HOP || middle >= samples.length - HOP) return;
          assert.equal(output[start + middle - headTrimmed], samples[middle]);
        });
      }),
      { numRuns: 60 },
    );
  });
});

test("two sounds that end inside a wave are joined smoothly through zero", () => {
  const cut = tone(RATE, 0.1, 440, 0.9).map((_, i) => 0.9 * Math.cos((2 * Math.PI * 440 * i) / RATE));
  const { output } = join([chunk(cut, "clause"), chunk(cut)]);
  const steps = output.map((sample, i) => Math.abs(sample - (output[i - 1] ?? 0)));
  assert.ok(peak(steps) <= 0.9 * 2 * Math.sin((Math.PI * 440) / RATE) + 0.01);
});

test("calls out of order are refused", () => {
  const joiner = createJoiner({ sampleRate: RATE });
  assert.throws(() => joiner.push(new Float32Array(1)), /no chunk/);
  assert.throws(() => joiner.endChunk("clause", 0), /no chunk/);
  joiner.startChunk();
  assert.throws(() => joiner.startChunk(), /not been ended/);
  assert.throws(() => joiner.finish(), /not been ended/);
});
