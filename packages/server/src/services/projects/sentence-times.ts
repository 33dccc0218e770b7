import type { HistoryWord } from "@parlance/protocol";

export interface TimedSentence {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const MARK = /<\|[^|>]{0,80}\|>|\[(?:long-)?break[^\]]{0,16}\]/g;
const ENDS = /[.!?…。！？]["'”’)\]]*\s/u;

/** The sentences of a paragraph with their times, from those of its words. `offset`: where the paragraph begins. */
export function sentencesOf(text: string, words: readonly HistoryWord[], offset: number): readonly TimedSentence[] {
  const sentences: TimedSentence[] = [];
  let from = 0;
  let cursor = 0;
  let start: number | undefined;
  for (const [index, word] of words.entries()) {
    const at = text.indexOf(word.text, cursor);
    if (at >= 0) cursor = at + word.text.length;
    start ??= word.start;
    const next = words[index + 1];
    const nextAt = next === undefined ? text.length : text.indexOf(next.text, cursor);
    const between = nextAt < cursor ? "" : text.slice(cursor, nextAt);
    if (next !== undefined && !ENDS.test(between)) continue;
    // The punctuation before the next word's own quotes belongs to this sentence.
    const stop = next === undefined ? text.length : cursor + (ENDS.exec(between)?.[0].length ?? 0);
    const shown = text.slice(from, stop).replace(MARK, " ").replace(/\s+/g, " ").trim();
    if (shown !== "") sentences.push({ text: shown, start: offset + start, end: offset + word.end });
    from = stop;
    start = undefined;
  }
  return sentences;
}
