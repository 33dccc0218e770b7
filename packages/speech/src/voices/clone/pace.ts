/** What is written down of speech, for telling how fast it is. */
export function countLetters(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}

/** Less speech than that does not tell how fast somebody speaks. */
const LEAST_SECONDS = 3;

/** How fast somebody speaks, by the recordings whose text is known; undefined where that is too little. */
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
  return spoken >= LEAST_SECONDS && letters > 0 ? letters / spoken : undefined;
}

/** Nobody is made to speak faster or slower than this. */
const PACES = { least: 0.8, most: 1.25 };
/** What is further off than this says that the text is another one, not that somebody is so slow. */
const MOST_OFF = 2;

/** How much faster than by itself a voice has to speak; 1 where one of the two is not known. */
export function paceFor(wanted: number | undefined, own: number | undefined): number {
  if (!wanted || !own) return 1;
  const pace = wanted / own;
  if (pace > MOST_OFF || pace < 1 / MOST_OFF) return 1;
  return Math.min(PACES.most, Math.max(PACES.least, pace));
}
