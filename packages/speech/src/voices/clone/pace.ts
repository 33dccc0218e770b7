import { clamp } from "../../lib/clamp.ts";

/** The length of a text, for measuring how fast it is spoken. */
function countLetters(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}

/** Less speech is too little to measure the pace. */
const MIN_SECONDS = 3;

/** The pace of a speaker, from the recordings whose text is known; undefined when those are too short. */
export function lettersPerSecond(
  recordings: Iterable<{ readonly text: string | null | undefined; readonly seconds: number }>,
): number | undefined {
  let letters = 0;
  let spoken = 0;
  for (const { text, seconds } of recordings) {
    if (!text) continue;
    letters += countLetters(text);
    spoken += seconds;
  }
  return spoken >= MIN_SECONDS && letters > 0 ? letters / spoken : undefined;
}

/** The bounds of the pace of a voice. */
const MIN_PACE = 0.8;
const MAX_PACE = 1.25;
/** A larger factor means that the text does not belong to the recording. */
const MAX_FACTOR = 2;

/** The pace at which a voice is as fast as its speaker; 1 when either of the two is unknown. Both in letters per second. */
export function paceFor(target: number | undefined, own: number | undefined): number {
  if (!target || !own) return 1;
  const pace = target / own;
  if (pace > MAX_FACTOR || pace < 1 / MAX_FACTOR) return 1;
  return clamp(pace, MIN_PACE, MAX_PACE);
}
