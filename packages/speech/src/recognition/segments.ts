import { textOf } from "../engines/attention/token-words.ts";
import type { TranscriptSegment } from "../transcript.ts";
import type { TranscribedWord } from "./transcribe-span.ts";

/** The length of two lines of a subtitle. */
const MAX_SECONDS = 7;
const MAX_CHARACTERS = 84;
/** A silence of this length ends a segment, with or without punctuation. */
const LONG_PAUSE_SECONDS = 1.5;

const sentenceEnd = /[.!?…。！？؟।]["'”’»)\]]*$/u;
const clauseEnd = /[,;:—–、，；：،]["'”’»)\]]*$/u;
const abbreviation = /^\W*(?:\p{Lu}|mr|mrs|ms|dr|prof|st|sr|jr|vs|etc|no|nr|bzw|ca|sra|dott|sig|mme|m)\.$/iu;

/** Sentences, and parts of sentences that are too long for one segment. */
export function toSegments(words: readonly TranscribedWord[]): TranscriptSegment[] {
  const describe = segmentOf(words);
  return sentences(words).flatMap(split).map(describe);
}

/** One segment for each word. */
export function toWordSegments(words: readonly TranscribedWord[]): TranscriptSegment[] {
  const describe = segmentOf(words);
  return words.map((word) => describe([word]));
}

/** Segments name their language where the recording has several. */
function segmentOf(all: readonly TranscribedWord[]): (words: readonly TranscribedWord[]) => TranscriptSegment {
  const isMixed = all.some(({ language }) => language !== all[0]?.language);
  return (words) => ({
    text: textOf(words),
    start: milliseconds(words[0]?.start),
    end: milliseconds(words.at(-1)?.end),
    ...(isMixed ? { language: words[0]?.language } : {}),
    ...(words[0]?.speaker === undefined ? {} : { speaker: words[0].speaker }),
  });
}

function milliseconds(seconds = 0): number {
  return Math.round(seconds * 1000) / 1000;
}

function sentences(words: readonly TranscribedWord[]): TranscribedWord[][] {
  const all: TranscribedWord[][] = [];
  let sentence: TranscribedWord[] = [];
  words.forEach((word, index) => {
    sentence.push(word);
    const next = words[index + 1];
    const isOther = next?.language !== word.language || next.speaker !== word.speaker;
    if (!next || endsSentence(word) || next.start - word.end >= LONG_PAUSE_SECONDS || isOther) {
      all.push(sentence);
      sentence = [];
    }
  });
  return all;
}

export function endsSentence({ text }: TranscribedWord): boolean {
  return sentenceEnd.test(text) && !abbreviation.test(text);
}

/** Splits long sentences in two at the best position until all parts fit. */
function split(words: readonly TranscribedWord[]): (readonly TranscribedWord[])[] {
  if (words.length < 2 || fits(words)) return [words];
  const index = bestSplit(words);
  return [...split(words.slice(0, index)), ...split(words.slice(index))];
}

function fits(words: readonly TranscribedWord[]): boolean {
  const seconds = (words.at(-1)?.end ?? 0) - (words[0]?.start ?? 0);
  return seconds <= MAX_SECONDS && textOf(words).length <= MAX_CHARACTERS;
}

/** The index of the word before which to split: at a comma or a pause, and near the middle. */
function bestSplit(words: readonly TranscribedWord[]): number {
  let best = 1;
  let highest = Number.NEGATIVE_INFINITY;
  const [first, last] = [words[0], words.at(-1)];
  const middle = ((first?.start ?? 0) + (last?.end ?? 0)) / 2;
  const half = Math.max(0.1, ((last?.end ?? 0) - (first?.start ?? 0)) / 2);
  for (let index = 1; index < words.length; index++) {
    const [before, after] = [words[index - 1], words[index]];
    if (!before || !after) continue;
    const pause = Math.min(1, after.start - before.end);
    const comma = clauseEnd.test(before.text) ? 0.5 : 0;
    const off = Math.abs((before.end + after.start) / 2 - middle) / half;
    const score = comma + pause - off * off;
    if (score > highest) {
      highest = score;
      best = index;
    }
  }
  return best;
}
