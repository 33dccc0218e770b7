import type { Allocate } from "../lib/scratch.ts";
import { createLimiter } from "./limiter.ts";
import { createLoudnessMeter, METER_STEP_SECONDS } from "./loudness-meter.ts";

/** The loudness of normalized speech: that of voice assistants and podcasts, with headroom for peaks. */
export const TARGET_LUFS = -18;

/** A larger change would raise the noise of a voice, too. */
const MAX_CHANGE_DB = 15;
/** Slow enough to be inaudible. */
const MAX_DB_PER_STEP = 1.5 * METER_STEP_SECONDS;

export interface LoudnessOptions {
  readonly sampleRate: number;
  readonly volumeDb: number;
  readonly normalize: boolean;
  /** The voice's expected loudness, so that the first window is close to the target. */
  readonly expectedLufs: number;
  /** Where results are written; by default each has memory of its own. */
  readonly allocate?: Allocate | undefined;
}

export interface Loudness {
  /** Returns the samples that are ready: the limiter holds back the last 4 ms. */
  push(samples: Float32Array): Float32Array;
  /** Ends the stream: returns the rest. The output has as many samples as the input. */
  flush(): Float32Array;
}

/**
 * Applies volume, loudness normalization and a limiter. With a volume of 0 dB and no normalization, a signal below the ceiling
 * of the limiter is unchanged bit for bit.
 */
export function createLoudness(options: LoudnessOptions): Loudness {
  const volume = 10 ** (options.volumeDb / 20);
  const amplify = options.normalize ? normalizer(options, volume) : constantGain(volume);
  const limiter = createLimiter(options.sampleRate, options.allocate);
  return { push: (samples) => limiter.push(amplify(samples)), flush: limiter.flush };
}

type Amplifier = (samples: Float32Array) => Float32Array;

function constantGain(gain: number): Amplifier {
  return (samples) => {
    // Most requests change no volume: the limiter takes the samples as they are.
    if (gain === 1 && samples.every(Number.isFinite)) return samples;
    const louder = new Float32Array(samples.length);
    for (let i = 0; i < samples.length; i++) louder[i] = finite(samples[i] ?? 0) * gain;
    return louder;
  };
}

function normalizer({ sampleRate, expectedLufs }: LoudnessOptions, volume: number): Amplifier {
  const meter = createLoudnessMeter(sampleRate, expectedLufs);
  const rampSamples = Math.round(sampleRate * METER_STEP_SECONDS);
  let gainDb = targetGain();
  let gain = volume * 10 ** (gainDb / 20);
  let slope = 0;

  function targetGain(): number {
    return Math.max(-MAX_CHANGE_DB, Math.min(MAX_CHANGE_DB, TARGET_LUFS - meter.estimate));
  }

  return (samples) =>
    samples.map((value) => {
      const sample = finite(value);
      const out = sample * gain;
      gain += slope;
      if (meter.add(sample)) {
        // The end of the last ramp is set exactly; the next ramp covers the coming step.
        gain = volume * 10 ** (gainDb / 20);
        gainDb += Math.max(-MAX_DB_PER_STEP, Math.min(MAX_DB_PER_STEP, targetGain() - gainDb));
        slope = (volume * 10 ** (gainDb / 20) - gain) / rampSamples;
      }
      return out;
    });
}

/** A single NaN from a model would make every later sample NaN. */
function finite(sample: number): number {
  return Number.isFinite(sample) ? sample : 0;
}
