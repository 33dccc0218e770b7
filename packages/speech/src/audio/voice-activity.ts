/*
 * The silence of a speech model is often a low rumble, as strong (−40 dBFS) as a soft /f/ or /h/ at the start of a word. But
 * consonants have high frequencies: in the difference of neighbouring samples, which attenuates low frequencies, they are at
 * least 10 dB above any silence. So that difference is compared with a threshold that follows the quietest part of the chunk.
 * Anything loud, such as a hum at the end of a word, is sound in any case.
 */
const MIN_THRESHOLD = amplitude(-64);
const MAX_THRESHOLD = amplitude(-52);
const ABOVE_FLOOR = amplitude(8);
const LOUD = amplitude(-34);
/** The difference of two samples depends on the sample rate; the thresholds are for this one. */
const THRESHOLD_RATE = 22050;

export interface ActivityDetector {
  /** Whether there is sound in this piece of the chunk. Pieces are checked in order. */
  isActive(samples: Float32Array, from: number, to: number): boolean;
}

/** A new detector is needed for each chunk, since the voice may change. */
export function createActivityDetector(sampleRate: number): ActivityDetector {
  let floor = Number.POSITIVE_INFINITY;
  let previous = 0;
  return {
    isActive(samples, from, to) {
      let energy = 0;
      let differences = 0;
      for (let i = from; i < to; i++) {
        const sample = samples[i] ?? 0;
        energy += sample * sample;
        differences += (sample - previous) ** 2;
        previous = sample;
      }
      const count = to - from;
      const highFrequency = (Math.sqrt(differences / count) * sampleRate) / THRESHOLD_RATE;
      floor = Math.min(floor, highFrequency);
      const threshold = Math.max(MIN_THRESHOLD, Math.min(MAX_THRESHOLD, floor * ABOVE_FLOOR));
      return highFrequency > threshold || Math.sqrt(energy / count) > LOUD;
    },
  };
}

function amplitude(decibels: number): number {
  return 10 ** (decibels / 20);
}
