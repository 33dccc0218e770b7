import type { RecognizedWord } from "../engines/recognizer.ts";
import type { Region } from "./speech-regions.ts";

/** How far the time of a word may be from the pause that it belongs to. */
const BEFORE_PAUSE_SECONDS = 0.1;
const AFTER_PAUSE_SECONDS = 0.08;
/** A short pause may be inside a word, so a word must start right after it. */
const SHORT_PAUSE_SECONDS = 0.15;
const AFTER_SHORT_PAUSE_SECONDS = 0.03;
/** The minimum length of a word. */
const MIN_WORD_SECONDS = 0.04;
/** The last word ends with the speech unless the model puts its end earlier by more than this. */
const TRAILING_SECONDS = 0.6;

/**
 * The word times of a model are exact to a tenth of a second, and undefined in pauses. The level of the audio shows where a
 * pause starts and ends. So words that meet in a pause are moved to its edges, and all words stay within the speech.
 */
export function alignToPauses(
  words: readonly RecognizedWord[],
  pauses: readonly Region[],
  speech: Region,
): RecognizedWord[] {
  const times = words.map(({ start, end }) => ({ start, end }));
  const first = times[0];
  const last = times.at(-1);
  if (!first || !last) return [];
  if (first.start < speech.from) first.start = speech.from;
  const leading = pauses.find((pause) => pause.from <= first.start && pause.to > first.start);
  if (leading && leading.to < first.end - MIN_WORD_SECONDS) first.start = leading.to;
  if (last.end > speech.to - TRAILING_SECONDS) last.end = speech.to;
  for (const [index, time] of times.entries()) {
    const before = times[index - 1];
    if (before) separate(before, time, pauses);
  }
  inOrder(times, speech);
  return words.map((word, index) => ({ ...word, ...(times[index] ?? word) }));
}

interface Times {
  start: number;
  end: number;
}

/** Moves two words to the edges of the pause between them, if there is one. */
function separate(before: Times, after: Times, pauses: readonly Region[]): void {
  const near = pauses.filter(
    (pause) =>
      pause.to > Math.min(before.end, after.start) - reach(pause) &&
      pause.from < after.start + BEFORE_PAUSE_SECONDS &&
      pause.from > before.start + MIN_WORD_SECONDS &&
      pause.to < after.end - MIN_WORD_SECONDS,
  );
  const pause = near.sort((a, b) => b.to - b.from - (a.to - a.from))[0];
  before.end = pause ? pause.from : after.start;
  if (pause) after.start = pause.to;
}

function reach({ from, to }: Region): number {
  return to - from < SHORT_PAUSE_SECONDS ? AFTER_SHORT_PAUSE_SECONDS : AFTER_PAUSE_SECONDS;
}

/** Makes the words start in order, end after their start, and not overlap. */
function inOrder(times: Times[], speech: Region): void {
  let latest = speech.from;
  for (const time of times) {
    time.start = Math.min(Math.max(time.start, latest), speech.to);
    latest = time.start;
  }
  for (const [index, time] of times.entries()) {
    const limit = times[index + 1]?.start ?? speech.to;
    time.end = Math.min(Math.max(time.end, time.start + MIN_WORD_SECONDS), limit);
  }
}
