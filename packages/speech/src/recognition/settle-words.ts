import type { HeardWord } from "../engines/recognizer.ts";
import type { Region } from "./speech-regions.ts";

/** How far a model's time may be from a pause that it means. */
const BEFORE_PAUSE_SECONDS = 0.1;
const AFTER_PAUSE_SECONDS = 0.08;
/** A short one may be inside a word: only what comes right after it was meant. */
const SHORT_PAUSE_SECONDS = 0.15;
const AFTER_SHORT_PAUSE_SECONDS = 0.03;
/** No word is shorter. */
const LEAST_WORD_SECONDS = 0.04;
/** The last word ends with the speech unless the model says that it ended long before. */
const TRAILING_SECONDS = 0.6;

/**
 * A model knows to a tenth of a second when it hears a word, and not at all when nobody speaks. The sound knows when a pause
 * begins and ends. So words that meet in a pause are moved to its edges, and all of them stay within the speech.
 */
export function settleWords(words: readonly HeardWord[], pauses: readonly Region[], speech: Region): HeardWord[] {
  const times = words.map(({ start, end }) => ({ start, end }));
  const first = times[0];
  const last = times.at(-1);
  if (!first || !last) return [];
  if (first.start < speech.from) first.start = speech.from;
  const leading = pauses.find((pause) => pause.from <= first.start && pause.to > first.start);
  if (leading && leading.to < first.end - LEAST_WORD_SECONDS) first.start = leading.to;
  if (last.end > speech.to - TRAILING_SECONDS) last.end = speech.to;
  for (const [index, time] of times.entries()) {
    const before = times[index - 1];
    if (before) part(before, time, pauses);
  }
  inOrder(times, speech);
  return words.map((word, index) => ({ ...word, ...(times[index] ?? word) }));
}

interface Times {
  start: number;
  end: number;
}

/** Finds the pause between two words, if there is one. */
function part(before: Times, after: Times, pauses: readonly Region[]): void {
  const near = pauses.filter(
    (pause) =>
      pause.to > Math.min(before.end, after.start) - reach(pause) &&
      pause.from < after.start + BEFORE_PAUSE_SECONDS &&
      pause.from > before.start + LEAST_WORD_SECONDS &&
      pause.to < after.end - LEAST_WORD_SECONDS,
  );
  const pause = near.sort((a, b) => b.to - b.from - (a.to - a.from))[0];
  before.end = pause ? pause.from : after.start;
  if (pause) after.start = pause.to;
}

function reach({ from, to }: Region): number {
  return to - from < SHORT_PAUSE_SECONDS ? AFTER_SHORT_PAUSE_SECONDS : AFTER_PAUSE_SECONDS;
}

/** Words begin one after the other, none ends before it begins, and none reaches into the next. */
function inOrder(times: Times[], speech: Region): void {
  let latest = speech.from;
  for (const time of times) {
    time.start = Math.min(Math.max(time.start, latest), speech.to);
    latest = time.start;
  }
  for (const [index, time] of times.entries()) {
    const limit = times[index + 1]?.start ?? speech.to;
    time.end = Math.min(Math.max(time.end, time.start + LEAST_WORD_SECONDS), limit);
  }
}
