/** A part of a recording, in seconds. */
export interface Region {
  readonly from: number;
  readonly to: number;
}

/** What was measured in each chunk of a recording. */
export interface Activity {
  readonly chunkSeconds: number;
  /** Of speech, from 0 to 1. */
  readonly probabilities: Float32Array;
  /** Root mean square, as a share of full scale. */
  readonly levels: Float32Array;
}

/** Speech begins above the first and goes on above the second: a voice that falls is still one. */
const BEGINS = 0.5;
const GOES_ON = 0.35;
/** The closure of a consonant is no pause. */
const LEAST_PAUSE_SECONDS = 0.16;
/** "No." takes a little longer than this; a click does not. */
const LEAST_SPEECH_SECONDS = 0.12;
/** Somewhere in real speech the model is sure; instruments that it takes for a voice for a moment leave it in doubt. */
const SURE = 0.7;
const SURE_OF_SHORT = 0.9;
const SHORT_SECONDS = 0.4;
/** Nobody speaks as softly as this into a microphone (−55 dBFS); what is there is noise of the line. */
const LEAST_LEVEL = 10 ** (-55 / 20);

/** Where somebody speaks. */
export function findRegions({ chunkSeconds, probabilities, levels }: Activity): Region[] {
  const regions: Region[] = [];
  let from = -1;
  let last = 0;
  let loudest = 0;
  let surest = 0;
  const finish = () => {
    const seconds = (last + 1 - from) * chunkSeconds;
    const sure = surest >= (seconds < SHORT_SECONDS ? SURE_OF_SHORT : SURE);
    if (from >= 0 && seconds >= LEAST_SPEECH_SECONDS && sure && loudest >= LEAST_LEVEL) {
      regions.push({ from: from * chunkSeconds, to: (last + 1) * chunkSeconds });
    }
    from = -1;
    loudest = 0;
    surest = 0;
  };
  probabilities.forEach((probability, chunk) => {
    if (probability >= (from < 0 ? BEGINS : GOES_ON)) {
      if (from < 0) from = chunk;
      last = chunk;
      loudest = Math.max(loudest, levels[chunk] ?? 0);
      surest = Math.max(surest, probability);
    } else if (from >= 0 && (chunk - last) * chunkSeconds >= LEAST_PAUSE_SECONDS) finish();
  });
  finish();
  return regions;
}
