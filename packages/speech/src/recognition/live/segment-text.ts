import { textOf } from "../../engines/attention/token-words.ts";
import type { RecognizedWord } from "../../engines/recognizer.ts";
import type { LiveText } from "../../listening.ts";

/** The text and the words of a segment, as they are reported. */
export function textEvent(segment: number, words: readonly RecognizedWord[], language: string): LiveText {
  let before = 0;
  const rounded = words.map((word, index) => {
    // Neighbours may come from different decodings, whose times differ a little.
    const start = Math.max(before, milliseconds(word.start));
    before = Math.max(start, milliseconds(word.end));
    return { text: word.text, start, end: before, joined: index > 0 && word.joined };
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
