import type { EncodedText } from "../../packages/speech/src/engines/kokoro/stages.ts";
import { median } from "../statistics.ts";

/** Below any voice: values between this and zero are the edges of voiced sounds. */
const LOWEST_HERTZ = 50;
/** A phoneme is compared if this share of its frames is voiced in both. Pauses and most consonants have less. */
const VOICED_SHARE = 0.5;

/** The pitch of a voiced phoneme by two encoders, in octaves from the mean of the second one's sentence. */
type Tone = readonly [number, number];

/** What differs between two encoders that read the same phonemes. */
export interface ProsodyDifference {
  /** The share of frames of duration that differ. */
  readonly framesOff: number;
  readonly tones: readonly Tone[];
}

export function prosodyDifference(text: EncodedText, reference: EncodedText): ProsodyDifference {
  const [own, expected] = [tonesOf(text), tonesOf(reference)];
  const shared = expected.flatMap((tone, token) => {
    const other = own[token];
    return tone === undefined || other === undefined ? [] : [[other, tone] as const];
  });
  // Without the height of the voice, by which alone different voices would correlate.
  const mean = shared.reduce((sum, [, tone]) => sum + tone, 0) / shared.length;
  let [off, all] = [0, 0];
  reference.framesOfToken.forEach((frames, token) => {
    off += Math.abs(frames - (text.framesOfToken[token] ?? 0));
    all += frames;
  });
  return { framesOff: off / all, tones: shared.map(([tone, other]) => [tone - mean, other - mean] as const) };
}

/** For each token: the median of its pitch in octaves; undefined where it has none. There are two values for each frame. */
function tonesOf({ framesOfToken, pitch }: EncodedText): (number | undefined)[] {
  let end = 0;
  return Array.from(framesOfToken, (frames) => {
    const values = pitch.subarray(2 * end, 2 * (end + frames));
    end += frames;
    const voiced = values.filter((hertz) => hertz > LOWEST_HERTZ);
    return voiced.length === 0 || voiced.length < VOICED_SHARE * values.length
      ? undefined
      : median(Array.from(voiced, Math.log2));
  });
}
