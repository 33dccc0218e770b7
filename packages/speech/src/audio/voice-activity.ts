/*
 * The silence of a speech model is often a low rumble, as strong (−40 dBFS) as a soft /f/ or /h/ that begins a word.
 * But the consonants are hiss: in the difference between neighbouring samples, which weakens low tones, they stand 10 dB
 * and more above any silence. So that is what is measured, against a limit that follows the quietest that the chunk
 * has shown; and what is plainly loud, such as a hum at the end of a word, is sound in any case. In doubt it is sound.
 */
const MIN_LIMIT = amplitude(-64);
const MAX_LIMIT = amplitude(-52);
const ABOVE_FLOOR = amplitude(8);
const PLAINLY_LOUD = amplitude(-34);
/** The difference of two samples is the smaller the closer they are; the limits above are for this rate. */
const LIMITS_RATE = 22050;

export interface ActivityDetector {
  /** Whether there is sound in this piece of the chunk. Ask for one piece after the other. */
  isActive(samples: Float32Array, from: number, to: number): boolean;
}

/** One for each chunk: the next may be another voice's. */
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
      const hiss = (Math.sqrt(differences / count) * sampleRate) / LIMITS_RATE;
      floor = Math.min(floor, hiss);
      const limit = Math.max(MIN_LIMIT, Math.min(MAX_LIMIT, floor * ABOVE_FLOOR));
      return hiss > limit || Math.sqrt(energy / count) > PLAINLY_LOUD;
    },
  };
}

function amplitude(decibels: number): number {
  return 10 ** (decibels / 20);
}
