/** A part of a recording, in seconds. */
export interface Region {
  readonly from: number;
  readonly to: number;
}

/** Measurements of each chunk of a recording. */
export interface Activity {
  readonly chunkSeconds: number;
  /** The probability of speech, from 0 to 1. */
  readonly probabilities: Float32Array;
  /** Root mean square, as a share of full scale. */
  readonly levels: Float32Array;
}

/** What counts as speech: of a recording, and of a stream. */
export const speechRules = {
  /** Speech starts above the first probability and continues above the second. */
  start: 0.5,
  continue: 0.35,
  /** Seconds. Shorter silences are the closures of consonants. */
  minPause: 0.16,
  /** Seconds. "No." is a little longer than this; a click is shorter. */
  minSpeech: 0.12,
} as const;

/** Speech reaches this probability at some point; instruments that resemble a voice do not. */
const MIN_PEAK = 0.7;
const MIN_PEAK_OF_SHORT = 0.9;
const SHORT_SECONDS = 0.4;
/** Below −55 dBFS there is only noise of the line. */
const MIN_LEVEL = 10 ** (-55 / 20);

/** Whether a region is surely speech. */
export function isSpeech(region: {
  readonly seconds: number;
  readonly peak: number;
  readonly loudest: number;
}): boolean {
  const { seconds, peak, loudest } = region;
  const isCertain = peak >= (seconds < SHORT_SECONDS ? MIN_PEAK_OF_SHORT : MIN_PEAK);
  return seconds >= speechRules.minSpeech - 1e-9 && isCertain && loudest >= MIN_LEVEL;
}

/** Finds the regions of speech. */
export function findRegions({ chunkSeconds, probabilities, levels }: Activity): Region[] {
  const regions: Region[] = [];
  let from = -1;
  let last = 0;
  let loudest = 0;
  let peak = 0;
  const finish = () => {
    const seconds = (last + 1 - from) * chunkSeconds;
    if (from >= 0 && isSpeech({ seconds, peak, loudest })) {
      regions.push({ from: from * chunkSeconds, to: (last + 1) * chunkSeconds });
    }
    from = -1;
    loudest = 0;
    peak = 0;
  };
  probabilities.forEach((probability, chunk) => {
    if (probability >= (from < 0 ? speechRules.start : speechRules.continue)) {
      if (from < 0) from = chunk;
      last = chunk;
      loudest = Math.max(loudest, levels[chunk] ?? 0);
      peak = Math.max(peak, probability);
    } else if (from >= 0 && (chunk - last) * chunkSeconds >= speechRules.minPause) finish();
  });
  finish();
  return regions;
}
