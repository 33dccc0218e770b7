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

/** Speech starts above the first probability and continues above the second. */
const START = 0.5;
const CONTINUE = 0.35;
/** Shorter silences are the closures of consonants. */
const MIN_PAUSE_SECONDS = 0.16;
/** "No." is a little longer than this; a click is shorter. */
const MIN_SPEECH_SECONDS = 0.12;
/** Real speech reaches this probability somewhere; instruments that resemble a voice do not. */
const MIN_PEAK = 0.7;
const MIN_PEAK_OF_SHORT = 0.9;
const SHORT_SECONDS = 0.4;
/** Below −55 dBFS there is only noise of the line. */
const MIN_LEVEL = 10 ** (-55 / 20);

/** Finds the regions of speech. */
export function findRegions({ chunkSeconds, probabilities, levels }: Activity): Region[] {
  const regions: Region[] = [];
  let from = -1;
  let last = 0;
  let loudest = 0;
  let peak = 0;
  const finish = () => {
    const seconds = (last + 1 - from) * chunkSeconds;
    const isCertain = peak >= (seconds < SHORT_SECONDS ? MIN_PEAK_OF_SHORT : MIN_PEAK);
    if (from >= 0 && seconds >= MIN_SPEECH_SECONDS && isCertain && loudest >= MIN_LEVEL) {
      regions.push({ from: from * chunkSeconds, to: (last + 1) * chunkSeconds });
    }
    from = -1;
    loudest = 0;
    peak = 0;
  };
  probabilities.forEach((probability, chunk) => {
    if (probability >= (from < 0 ? START : CONTINUE)) {
      if (from < 0) from = chunk;
      last = chunk;
      loudest = Math.max(loudest, levels[chunk] ?? 0);
      peak = Math.max(peak, probability);
    } else if (from >= 0 && (chunk - last) * chunkSeconds >= MIN_PAUSE_SECONDS) finish();
  });
  finish();
  return regions;
}
