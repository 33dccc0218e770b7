import type { EngineName } from "../speech.ts";
import { createLimiter } from "./limiter.ts";
import { createLoudnessMeter, METER_STEP_SECONDS } from "./loudness-meter.ts";

/** Where normalised speech is brought to: as loud as voice assistants and podcasts, with room left for its peaks. */
export const TARGET_LUFS = -18;

/** How loud the engines' voices are by themselves, in the mean over several of each. */
export const ENGINE_LUFS: Readonly<Record<EngineName, number>> = { piper: -19.5, kokoro: -22.5 };

/** More than this would lift a voice's noise with it. */
const MAX_CHANGE_DB = 15;
/** Slow enough that nobody hears it move. */
const MAX_DB_PER_STEP = 1.5 * METER_STEP_SECONDS;

export interface LoudnessOptions {
  readonly sampleRate: number;
  readonly volumeDb: number;
  readonly normalize: boolean;
  /** What the voice's loudness is likely to be, so that the first window already is near the target. */
  readonly expectedLufs: number;
}

export interface Loudness {
  /** Takes the next samples, gives those that are ready: the limiter holds back the last 4 ms. */
  push(samples: Float32Array): Float32Array;
  /** Ends the stream: gives the rest. As many samples leave as came. */
  flush(): Float32Array;
}

/**
 * Volume, loudness normalisation and a limiter after both, so that nothing clips. With a volume of 0 dB and no
 * normalisation, whatever stays under the limiter's ceiling comes out bit for bit.
 */
export function createLoudness(options: LoudnessOptions): Loudness {
  const volume = 10 ** (options.volumeDb / 20);
  const amplify = options.normalize ? normalizer(options, volume) : constantGain(volume);
  const limiter = createLimiter(options.sampleRate);
  return { push: (samples) => limiter.push(amplify(samples)), flush: limiter.flush };
}

type Amplifier = (samples: Float32Array) => Float32Array;

function constantGain(gain: number): Amplifier {
  return (samples) => samples.map((sample) => audible(sample) * gain);
}

function normalizer({ sampleRate, expectedLufs }: LoudnessOptions, volume: number): Amplifier {
  const meter = createLoudnessMeter(sampleRate, expectedLufs);
  const rampSamples = Math.round(sampleRate * METER_STEP_SECONDS);
  let gainDb = wantedGain();
  let gain = volume * 10 ** (gainDb / 20);
  let slope = 0;

  function wantedGain(): number {
    return Math.max(-MAX_CHANGE_DB, Math.min(MAX_CHANGE_DB, TARGET_LUFS - meter.estimate));
  }

  return (samples) =>
    samples.map((value) => {
      const sample = audible(value);
      const out = sample * gain;
      gain += slope;
      if (meter.add(sample)) {
        // The last ramp's end is set exactly; the next one runs over the coming step.
        gain = volume * 10 ** (gainDb / 20);
        gainDb += Math.max(-MAX_DB_PER_STEP, Math.min(MAX_DB_PER_STEP, wantedGain() - gainDb));
        slope = (volume * 10 ** (gainDb / 20) - gain) / rampSamples;
      }
      return out;
    });
}

/** A single NaN from a model would silence the meter, and with it the stream, for good. */
function audible(sample: number): number {
  return Number.isFinite(sample) ? sample : 0;
}
