export interface TimedWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Who speaks, where that is known. */
  readonly speaker?: string | undefined;
}

/** A piece of the shown text: a word of the list, or what is between the words. */
export interface SpokenPiece {
  readonly text: string;
  /** The index of the word; undefined for punctuation, spaces and text that is not spoken yet. */
  readonly word: number | undefined;
  /** Whether it is the name of who speaks next. */
  readonly isSpeaker?: true;
}

/**
 * The whole text, with its words at their places. Words that the text does not contain are added with a space, so that
 * nothing that was spoken is missing.
 */
export function spokenPieces(text: string, words: readonly TimedWord[]): readonly SpokenPiece[] {
  const pieces: SpokenPiece[] = [];
  let cursor = 0;
  for (const [index, { text: word, speaker }] of words.entries()) {
    const at = word === "" ? -1 : text.indexOf(word, cursor);
    if (speaker !== undefined && speaker !== words[index - 1]?.speaker) {
      pieces.push({ text: speaker, word: undefined, isSpeaker: true });
    }
    if (at < 0) {
      pieces.push({ text: pieces.length === 0 ? word : ` ${word}`, word: index });
      continue;
    }
    if (at > cursor) pieces.push({ text: text.slice(cursor, at), word: undefined });
    pieces.push({ text: word, word: index });
    cursor = at + word.length;
  }
  if (cursor < text.length) pieces.push({ text: text.slice(cursor), word: undefined });
  return pieces;
}

/** The last word that has started, unless it ended more than 0.15 s ago. */
export function wordAt(words: readonly TimedWord[], seconds: number): number {
  let low = 0;
  let high = words.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((words[middle]?.start ?? 0) <= seconds) low = middle + 1;
    else high = middle;
  }
  const word = words[low - 1];
  return word !== undefined && seconds < word.end + 0.15 ? low - 1 : -1;
}
