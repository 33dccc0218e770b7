/** The tokens of tokenizer.json, in which bytes are written as printable characters. */
export function parseWhisperVocabulary(file: string): { bytes(token: number): Uint8Array } {
  const parsed: { model: { vocab: Record<string, number> } } = JSON.parse(file);
  const byteOf = bytesByCharacter();
  const pieces: string[] = [];
  for (const [piece, id] of Object.entries(parsed.model.vocab)) pieces[id] = piece;
  return {
    // Control tokens are in another table: they are not text.
    bytes: (token) => Uint8Array.from([...(pieces[token] ?? "")].map((character) => byteOf.get(character) ?? 0x20)),
  };
}

/** Printable bytes stand for themselves, all others for a character from 256 on, in order. */
function bytesByCharacter(): Map<string, number> {
  const printable = (byte: number) =>
    (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || (byte >= 0xae && byte <= 0xff);
  const table = new Map<string, number>();
  let next = 256;
  for (let byte = 0; byte < 256; byte++) table.set(String.fromCharCode(printable(byte) ? byte : next++), byte);
  return table;
}
