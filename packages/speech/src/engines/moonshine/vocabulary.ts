/** The word pieces of a recogniser: one a line, in the order of their numbers. */
export function parseVocabulary(file: string): { decode(tokens: readonly number[]): string } {
  const pieces = file.split("\n");
  return {
    decode(tokens) {
      const bytes = tokens.map((token) => pieceBytes(pieces[token] ?? ""));
      return Buffer.concat(bytes).toString().trim();
    },
  };
}

function pieceBytes(piece: string): Buffer {
  const byte = piece.match(/^<0x([0-9A-F]{2})>$/)?.[1];
  if (byte) return Buffer.from(byte, "hex");
  if (/^<.*>$/.test(piece)) return Buffer.alloc(0);
  return Buffer.from(piece.replaceAll("▁", " "));
}
