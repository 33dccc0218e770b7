/** The tokens of the model: one a line, in the order of their ids. */
export function parseVocabulary(file: string): { readonly size: number; bytes(token: number): Uint8Array } {
  const pieces = file.split("\n");
  return { size: pieces.length, bytes: (token) => pieceBytes(pieces[token] ?? "") };
}

function pieceBytes(piece: string): Buffer {
  const byte = piece.match(/^<0x([0-9A-F]{2})>$/)?.[1];
  if (byte) return Buffer.from(byte, "hex");
  if (/^<.*>$/.test(piece)) return Buffer.alloc(0);
  return Buffer.from(piece.replaceAll("▁", " "));
}
