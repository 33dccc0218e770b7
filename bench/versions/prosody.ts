import type { EncodedText } from "../../packages/speech/src/engines/kokoro/stages.ts";
import type { Both } from "../kokoro/pairs.ts";
import { correlation } from "../kokoro/pitch.ts";
import type { Item } from "../kokoro/texts.ts";
import { median, round } from "../statistics.ts";

/** Below any voice: values between this and zero are the edges of voiced sounds. */
const LOWEST_HERTZ = 50;
/** A phoneme is compared if this share of its frames is voiced in both. Pauses and most consonants have less. */
const VOICED_SHARE = 0.5;

/** What differs between two encoders that read the same phonemes. */
interface Difference {
  /** The share of frames of duration that differ, for each sentence. */
  readonly framesOff: number[];
  /** The pitch of each voiced phoneme in octaves from the mean of its sentence, by both. */
  readonly tones: (readonly [number, number])[];
}

/**
 * This version's encoder against the older one, which is the encoder of `full` quality in 8 bits; and both against the original
 * in float32, where that is installed: the older one's rounding counts as a difference, too.
 */
export interface Prosody {
  readonly toBefore: Difference;
  readonly toExact: Difference;
  readonly beforeToExact: Difference;
  readonly items: Item[];
}

const noDifference = (): Difference => ({ framesOff: [], tones: [] });

export const emptyProsody = (): Prosody => ({
  toBefore: noDifference(),
  toExact: noDifference(),
  beforeToExact: noDifference(),
  items: [],
});

export async function addProsody(both: Both, item: Item, prosody: Prosody): Promise<void> {
  const ids = await both.spell(item);
  const [now, before] = [await both.encode(item, ids, "fast"), await both.encode(item, ids, "full")];
  prosody.items.push(item);
  add(now, before, prosody.toBefore);
  if (!both.teacherIsFull) return;
  const exact = await both.encode(item, ids, "exact");
  add(now, exact, prosody.toExact);
  add(before, exact, prosody.beforeToExact);
}

export function prosodyRow({ toBefore, toExact, beforeToExact }: Prosody): Record<string, number> {
  const exact = {
    "frames off, float32 %": framesOff(toExact),
    "before off, float32 %": framesOff(beforeToExact),
    "F0, float32": tones(toExact),
    "F0 before, float32": tones(beforeToExact),
  };
  return {
    "frames off %": framesOff(toBefore),
    "F0 by phoneme": tones(toBefore),
    ...(toExact.framesOff.length > 0 ? exact : {}),
  };
}

/** Where the durations of both differ most, and how much each differs from the original there. */
export function worstSentence({ items, toBefore, toExact, beforeToExact }: Prosody): string {
  const worst = toBefore.framesOff.indexOf(Math.max(...toBefore.framesOff));
  const percent = (difference: Difference) => `${round(100 * (difference.framesOff[worst] ?? Number.NaN), 1)} %`;
  const exact = `from float32: ${percent(toExact)} now, ${percent(beforeToExact)} before`;
  return `${items[worst]?.voice} ${percent(toBefore)} (${exact}): ${items[worst]?.text}`;
}

const framesOff = ({ framesOff: shares }: Difference): number =>
  round((100 * shares.reduce((sum, share) => sum + share, 0)) / shares.length, 1);

const tones = (difference: Difference): number => round(correlation(difference.tones), 3);

function add(text: EncodedText, reference: EncodedText, difference: Difference): void {
  const [own, expected] = [tonesOf(text), tonesOf(reference)];
  const shared = expected.flatMap((tone, token) => {
    const other = own[token];
    return tone === undefined || other === undefined ? [] : [[other, tone] as const];
  });
  // Without the height of the voice, by which alone different voices would correlate.
  const mean = shared.reduce((sum, [, tone]) => sum + tone, 0) / shared.length;
  difference.tones.push(...shared.map(([tone, other]) => [tone - mean, other - mean] as const));
  let [off, all] = [0, 0];
  reference.framesOfToken.forEach((frames, token) => {
    off += Math.abs(frames - (text.framesOfToken[token] ?? 0));
    all += frames;
  });
  difference.framesOff.push(off / all);
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
