import { textOf } from "../../engines/attention/token-words.ts";
import type { RecognizedWord } from "../../engines/recognizer.ts";
import type { LiveText } from "../../listening.ts";

/** The text and the words of a segment, as they are reported. */
export function textEvent(segment: number, words: readonly RecognizedWord[], language: string): LiveText {
  // Neighbours may come from different decodings, whose times differ. A wrong time moves no more than the words beside it.
  let before = 0;
  const starts = words.map(({ start }, index) => {
    before = Math.max(before, Math.min(milliseconds(start), milliseconds(words[index + 1]?.start ?? start)));
    return before;
  });
  const rounded = words.map(({ text, joined, end }, index) => {
    const start = starts[index] ?? 0;
    const limit = starts[index + 1] ?? Number.POSITIVE_INFINITY;
    return { text, start, end: Math.max(start, Math.min(milliseconds(end), limit)), joined: index > 0 && joined };
  });
  return {
    segment,
    text: textOf(rounded),
    words: rounded,
    start: rounded[0]?.start ?? 0,
    end: rounded.at(-1)?.end ?? 0,
    language,
  };
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
