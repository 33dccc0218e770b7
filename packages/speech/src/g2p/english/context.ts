import type { SpokenWord } from "../../text/types.ts";

/** A word among the words of its sentence, all in lower case. "" is outside of the clause or sentence. */
export interface WordContext {
  readonly word: string;
  /** The word before it in the sentence. */
  readonly previous: string;
  readonly beforePrevious: string;
  /** The words after it, up to the next punctuation. */
  readonly next: string;
  readonly afterNext: string;
  readonly third: string;
  /** It begins a sentence, or a clause after a comma or similar. */
  readonly starts: boolean;
  readonly sentence: ReadonlySet<string>;
}

const ENDS_SENTENCE = /[.!?…]/;

export function contextOf(words: readonly SpokenWord[], index: number): WordContext {
  const lower = (at: number): string => words[at]?.text.toLowerCase() ?? "";
  let from = index;
  while (from > 0 && !ENDS_SENTENCE.test(words[from - 1]?.after ?? "")) from--;
  let to = index;
  while (to < words.length - 1 && !ENDS_SENTENCE.test(words[to]?.after ?? "")) to++;
  let clauseEnd = index;
  while (clauseEnd < to && words[clauseEnd]?.after === "") clauseEnd++;
  const within = (at: number): string => (at <= clauseEnd ? lower(at) : "");
  const sentence = new Set<string>();
  for (let at = from; at <= to; at++) if (at !== index) sentence.add(lower(at));
  return {
    word: lower(index),
    previous: index - 1 >= from ? lower(index - 1) : "",
    beforePrevious: index - 2 >= from ? lower(index - 2) : "",
    next: within(index + 1),
    afterNext: within(index + 2),
    third: within(index + 3),
    starts: index === from || (words[index - 1]?.after ?? "") !== "",
    sentence,
  };
}
