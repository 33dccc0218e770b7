import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { VoiceParameters } from "../../../engines/kokoro/student/voice-gradient.ts";
import type { SpeakerVectors } from "../gradient/speaker-files.ts";
import { cosine, unit } from "../xvector/vectors.ts";
import { type RefineParts, refineParameters } from "./refine-parameters.ts";
import type { SpokenText } from "./spoken-text.ts";

const never = new AbortController().signal;
const speaker = (...numbers: number[]): SpeakerVectors => ({
  xvector: unit(Float32Array.from(numbers)),
  networks: [unit(Float32Array.from(numbers))],
});
const start: VoiceParameters = {
  timbre: Float32Array.of(1, 0, 0),
  offsets: new Float32Array(4),
};

/** A text in which the timbre is the speech, and speaker networks whose vectors are the speech. */
function testParts(overrides: Partial<RefineParts> = {}) {
  let steps = 0;
  const text: SpokenText = {
    say: async (voice) => ({
      speech: voice.timbre.slice(),
      async backward(gradient) {
        steps++;
        return { timbre: gradient, offsets: new Float32Array(4) };
      },
    }),
  };
  const parts: RefineParts = {
    speakers: {
      distances: async (samples, { xvector }) => ({
        xvector: 0,
        networks: [0],
        gradient: samples.map((value, i) => value - (xvector[i] ?? 0)),
      }),
      close: async () => {},
    },
    pause: async (signal) => signal.throwIfAborted(),
    vectorsOf: async (speech) => ({ xvector: unit(speech), networks: [unit(speech)] }),
    voiceFor: async () => start,
    ...overrides,
  };
  return { parts, texts: { refined: [text], measured: [text] }, steps: () => steps };
}

describe("the refinement of a voice", { timeout: 20_000 }, () => {
  it("brings it nearer to its speaker where recordings that were left out agree", async () => {
    const groups = [speaker(1, 0.5, 0.1), speaker(1, 0.5, -0.1), speaker(1, 0.6, 0)];
    const { parts, texts } = testParts();
    const { voice, similarity } = await refineParameters(parts, start, groups, texts, never);
    assert.ok(voice);
    assert.ok((voice.timbre[1] ?? 0) > 0.1, `${voice.timbre}`);
    assert.ok(similarity.after > similarity.before + 0.02, JSON.stringify(similarity));
    assert.deepEqual([...start.timbre], [1, 0, 0], "the given voice was changed");
  });

  it("keeps the voice where what was learned from some recordings is wrong for the others", async () => {
    const groups = [speaker(1, 0.6, 0), speaker(1, -0.6, 0)];
    const { parts, texts } = testParts();
    const { voice, similarity } = await refineParameters(parts, start, groups, texts, never);
    assert.equal(voice, undefined);
    assert.equal(similarity.after, similarity.before);
  });

  it("compares voices that were made without the recordings that were left out", async () => {
    const [first, second] = [speaker(1, 0.5, 0.1), speaker(1, 0.5, -0.1)];
    const made = (others: SpeakerVectors) => ({
      ...start,
      timbre: Float32Array.of(1, 0, 0.5 * (others.xvector[2] ?? 0)),
    });
    const { parts, texts } = testParts({ voiceFor: async (others) => made(others) });
    // The given voice knows both, and is more similar to each than what is made without it.
    const given = { ...start, timbre: Float32Array.of(1, 0.4, 0) };
    const { voice, similarity } = await refineParameters(parts, given, [first, second], texts, never);
    const before =
      (cosine(unit(made(second).timbre), first.xvector) + cosine(unit(made(first).timbre), second.xvector)) / 2;
    assert.ok(Math.abs(similarity.before - before) < 1e-6, `${similarity.before} instead of ${before}`);
    assert.ok(voice, JSON.stringify(similarity));
  });

  it("keeps the voice where the result is further from all recordings than before", async () => {
    const groups = [speaker(1, 0.5, 0.1), speaker(1, 0.5, -0.1), speaker(1, 0.6, 0)];
    const { parts, texts, steps } = testParts();
    // The last fit goes wrong: 40 steps without each group come before it.
    const { vectorsOf } = parts;
    const wrong = (speech: Float32Array) =>
      steps() > 120 ? speech.map((value, i) => (i === 0 ? value : -value)) : speech;
    const misled = {
      ...parts,
      vectorsOf: (speech: Float32Array, signal: AbortSignal) => vectorsOf(wrong(speech), signal),
    };
    const { voice, similarity } = await refineParameters(misled, start, groups, texts, never);
    assert.equal(steps(), 160);
    assert.equal(voice, undefined);
    assert.equal(similarity.after, similarity.before);
  });

  it("fails where the gradient is not finite, instead of a voice of NaN", async () => {
    const { parts, texts } = testParts();
    const gradient = Float32Array.of(Number.NaN, 0, 0);
    const speakers = { ...parts.speakers, distances: async () => ({ xvector: 0, networks: [0], gradient }) };
    const groups = [speaker(1, 0.5, 0.1), speaker(1, 0.5, -0.1)];
    await assert.rejects(refineParameters({ ...parts, speakers }, start, groups, texts, never), /not finite/);
  });

  it("ends when it is aborted", async () => {
    const controller = new AbortController();
    const { parts, texts, steps } = testParts();
    const pause = async (signal: AbortSignal) => {
      if (steps() === 3) controller.abort(new Error("deleted"));
      signal.throwIfAborted();
    };
    const groups = [speaker(1, 0.5, 0.1), speaker(1, 0.5, -0.1)];
    await assert.rejects(refineParameters({ ...parts, pause }, start, groups, texts, controller.signal), /deleted/);
    assert.equal(steps(), 3);
  });
});
