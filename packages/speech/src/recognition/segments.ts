import { textOf } from "../engines/attention/token-words.ts";
import type { HeardWord } from "../engines/recognizer.ts";
import type { TranscriptSegment } from "../transcript.ts";

/** What can be read at a glance: two lines of a subtitle. */
const MOST_SECONDS = 7;
const MOST_CHARACTERS = 84;
/** A silence as long as this ends what was being said, whatever the punctuation says. */
const LONG_PAUSE_SECONDS = 1.5;

const sentenceEnd = /[.!?…。！？؟।]["'”’»)\]]*$/u;
const clauseEnd = /[,;:—–、，；：،]["'”’»)\]]*$/u;
const abbreviation = /^\W*(?:\p{Lu}|mr|mrs|ms|dr|prof|st|sr|jr|vs|etc|no|nr|bzw|ca|sra|dott|sig|mme|m)\.$/iu;

/** Sentences, and phrases of sentences that are too long to be read at once. */
export function toSegments(words: readonly HeardWord[]): TranscriptSegment[] {
  return sentences(words).flatMap(split).map(toSegment);
}

/** Each word by itself. */
export function toWordSegments(words: readonly HeardWord[]): TranscriptSegment[] {
  return words.map((word) => toSegment([word]));
}

function toSegment(words: readonly HeardWord[]): TranscriptSegment {
  return { text: textOf(words), start: milliseconds(words[0]?.start), end: milliseconds(words.at(-1)?.end) };
}

function milliseconds(seconds = 0): number {
  return Math.round(seconds * 1000) / 1000;
}

function sentences(words: readonly HeardWord[]): HeardWord[][] {
  const all: HeardWord[][] = [];
  let sentence: HeardWord[] = [];
  words.forEach((word, index) => {
    sentence.push(word);
    const next = words[index + 1];
    if (!next || endsSentence(word) || next.start - word.end >= LONG_PAUSE_SECONDS) {
      all.push(sentence);
      sentence = [];
    }
  });
  return all;
}

function endsSentence({ text }: HeardWord): boolean {
  return sentenceEnd.test(text) && !abbreviation.test(text);
}

/** Halves what is too long, at the best place, until everything fits. */
function split(words: readonly HeardWord[]): (readonly HeardWord[])[] {
  if (words.length < 2 || fits(words)) return [words];
  const place = bestPlace(words);
  return [...split(words.slice(0, place)), ...split(words.slice(place))];
}

function fits(words: readonly HeardWord[]): boolean {
  const seconds = (words.at(-1)?.end ?? 0) - (words[0]?.start ?? 0);
  return seconds <= MOST_SECONDS && textOf(words).length <= MOST_CHARACTERS;
}

/** Before which word: at a comma or a pause, and not far from the middle. */
function bestPlace(words: readonly HeardWord[]): number {
  let best = 1;
  let most = Number.NEGATIVE_INFINITY;
  const [first, last] = [words[0], words.at(-1)];
  const middle = ((first?.start ?? 0) + (last?.end ?? 0)) / 2;
  const half = Math.max(0.1, ((last?.end ?? 0) - (first?.start ?? 0)) / 2);
  for (let place = 1; place < words.length; place++) {
    const [before, after] = [words[place - 1], words[place]];
    if (!before || !after) continue;
    const pause = Math.min(1, after.start - before.end);
    const comma = clauseEnd.test(before.text) ? 0.5 : 0;
    const off = Math.abs((before.end + after.start) / 2 - middle) / half;
    const score = comma + pause - off * off;
    if (score > most) {
      most = score;
      best = place;
    }
  }
  return best;
}
