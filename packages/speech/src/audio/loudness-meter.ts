import { createKWeighting, lufsOf } from "./k-weighting.ts";

/** Steps of 0.1 s; four of them make the 0.4 s block that loudness is measured over. */
export const METER_STEP_SECONDS = 0.1;
const STEPS_PER_BLOCK = 4;

/** Blocks quieter than this are pauses. */
const SILENCE_LUFS = -50;
/** Blocks this far under the rest are the gaps between words. */
const RELATIVE_GATE = 10 ** (-10 / 10);

/** Speech seconds that the expectation weighs as much as. */
const PRIOR_SECONDS = 2;
/** After this many seconds of speech older speech counts 1/e: another voice is noticed, a louder word is not. */
const MEMORY_SECONDS = 15;

export interface LoudnessMeter {
  /** Takes one sample; true when a step is complete and the estimate may have changed. */
  add(sample: number): boolean;
  /** LUFS, over the speech so far. */
  readonly estimate: number;
}

/** Gated loudness after BS.1770, running: it begins with what is expected and leans on what it hears more and more. */
export function createLoudnessMeter(sampleRate: number, expectedLufs: number): LoudnessMeter {
  const weigh = createKWeighting(sampleRate);
  const stepSamples = Math.round(sampleRate * METER_STEP_SECONDS);
  const decay = Math.exp(-METER_STEP_SECONDS / MEMORY_SECONDS);
  const steps = new Float64Array(STEPS_PER_BLOCK);
  let stepCount = 0;
  let energy = 0;
  let filled = 0;
  const heard = fadingMean(decay);
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
        heard.add(block);
        if (block > heard.mean * RELATIVE_GATE) {
          speech.add(block);
          priorWeight *= decay;
        }
      }
      return true;
    },
    get estimate() {
      if (speech.weight === 0) return expectedLufs;
      // Mixed as levels, not as powers, where the louder of the two would drown the other.
      const total = priorWeight + speech.weight;
      return (priorWeight * expectedLufs + speech.weight * lufsOf(speech.mean)) / total;
    },
  };
}

/** A mean in which each value counts a little less with every one that follows. */
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
