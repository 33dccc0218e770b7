/** A token of text as the model's tokenizer cuts it, before pairs are joined: a word with the space before it, digits, signs. */
const PIECE = /'(?:s|t|re|ve|m|ll|d)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu;
/** Longer pieces are no words, and the time for a piece grows with the square of its length. */
const MAX_PIECE_BYTES = 128;

export interface BytePairTable {
  /** Token ids, by the bytes of a token written as characters. */
  readonly ids: ReadonlyMap<string, number>;
  /** `left right` of each pair that is joined; the first one of the list first. */
  readonly merges: readonly string[];
  /** The character that stands for a byte. */
  readonly characters: readonly string[];
}

/** Turns text into tokens: in each piece, the pair that is first in the list is joined until none is left. */
export function createBytePairEncoder({ ids, merges, characters }: BytePairTable): (text: string) => number[] {
  const ranks = new Map(merges.map((pair, rank) => [pair, rank]));
  const join = (symbols: string[]): string[] => {
    for (;;) {
      let best = Number.POSITIVE_INFINITY;
      let at = -1;
      for (let index = 0; index + 1 < symbols.length; index++) {
        const rank = ranks.get(`${symbols[index]} ${symbols[index + 1]}`);
        if (rank !== undefined && rank < best) [best, at] = [rank, index];
      }
      if (at < 0) return symbols;
      symbols.splice(at, 2, `${symbols[at]}${symbols[at + 1]}`);
    }
  };
  return (text) =>
    (text.match(PIECE) ?? []).flatMap((piece) => {
      const bytes = Buffer.from(piece);
      if (bytes.length > MAX_PIECE_BYTES) return [];
      return join(Array.from(bytes, (byte) => characters[byte] ?? "")).flatMap((symbol) => ids.get(symbol) ?? []);
    });
}
