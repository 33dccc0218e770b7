import type { SpokenWord } from "../text/types.ts";
import { clauses, type FrontEnd, type PronouncedWord } from "./pronounce.ts";

/** A character (code point) of a text in an engine's symbols. `start`: a space comes before it, as before each word. */
export interface SpokenCharacter {
  readonly symbols: string;
  readonly start: boolean;
}

/**
 * Reads the characters of a clause, one result for each. `numbers` are the positions at which a number starts that was written
 * in digits.
 */
export type CharacterReader = (clause: string, numbers: ReadonlySet<number>) => readonly SpokenCharacter[];

/** A front end for a language without spaces: words of the chunk are characters or numbers, real words are found here. */
export function characterFrontEnd(read: CharacterReader, readDigits: (digits: string) => string): FrontEnd {
  const textOf = (word: SpokenWord): string => word.text.replace(/\d+/g, readDigits);
  return (words) =>
    clauses(words).flatMap((clause) => {
      const texts = clause.map(textOf);
      const lengths = texts.map((text) => [...text].length);
      const numbers = new Set<number>();
      let at = 0;
      for (const [index, { from, to, text }] of clause.entries()) {
        if (to - from !== text.length) numbers.add(at);
        at += lengths[index] ?? 0;
      }
      const characters = read(texts.join(""), numbers);
      at = 0;
      return clause.map(({ after }, index): PronouncedWord => {
        const own = characters.slice(at, at + (lengths[index] ?? 0));
        at += own.length;
        const symbols = own.map(({ symbols: spoken, start }, place) => (start && place > 0 ? ` ${spoken}` : spoken));
        return { phonemes: symbols, after, ...(own[0]?.start === false && { joined: true }) };
      });
    });
}
