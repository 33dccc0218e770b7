import { createKWeighting, lufsOf } from "./k-weighting.ts";

/** Loudness is measured over blocks of 0.4 s, in steps of 0.1 s. */
export const METER_STEP_SECONDS = 0.1;
const STEPS_PER_BLOCK = 4;

/** Blocks quieter than this are pauses. */
const SILENCE_LUFS = -50;
/** Blocks this far below the mean are the gaps between words. */
const RELATIVE_GATE = 10 ** (-10 / 10);

/** The weight of the expected loudness, in seconds of speech. */
const PRIOR_SECONDS = 2;
/** The time constant of the average: long enough to ignore a loud word, short enough to follow another voice. */
const MEMORY_SECONDS = 15;

export interface LoudnessMeter {
  /** Adds a sample; true when a step is complete and the estimate may have changed. */
  add(sample: number): boolean;
  /** In LUFS, over the speech so far. */
  readonly estimate: number;
}

/** Running gated loudness after BS.1770. It starts with the expected loudness and gives measurements more and more weight. */
export function createLoudnessMeter(sampleRate: number, expectedLufs: number): LoudnessMeter {
  const weigh = createKWeighting(sampleRate);
  const stepSamples = Math.round(sampleRate * METER_STEP_SECONDS);
  const decay = Math.exp(-METER_STEP_SECONDS / MEMORY_SECONDS);
  const steps = new Float64Array(STEPS_PER_BLOCK);
  let stepCount = 0;
  let energy = 0;
  let filled = 0;
  const audible = fadingMean(decay);
  const speech = fadingMean(decay);
  let priorWeight = PRIOR_SECONDS / METER_STEP_SECONDS;

  return {
    add(sample) {
      const weighted = weigh(sample);
      energy += weighted * weighted;
      if (++filled < stepSamples) return false;
      steps[stepCount++ % STEPS_PER_BLOCK] = energy / stepSamples;
      energy = 0;
      filled = 0;
      const length = Math.min(stepCount, STEPS_PER_BLOCK);
      const block = steps.reduce((sum, step) => sum + step, 0) / length;
      if (lufsOf(block) > SILENCE_LUFS) {
        audible.add(block);
        if (block > audible.mean * RELATIVE_GATE) {
          speech.add(block);
          priorWeight *= decay;
        }
      }
      return true;
    },
    get estimate() {
      if (speech.weight === 0) return expectedLufs;
      // Averaged in decibels: with powers the louder of the two would dominate.
      const total = priorWeight + speech.weight;
      return (priorWeight * expectedLufs + speech.weight * lufsOf(speech.mean)) / total;
    },
  };
}

/** An exponentially weighted mean. */
function fadingMean(decay: number) {
  let sum = 0;
  let weight = 0;
  return {
    add(value: number) {
      sum = sum * decay + value;
      weight = weight * decay + 1;
    },
    get mean() {
      return sum / weight;
    },
    get weight() {
      return weight;
    },
  };
}
