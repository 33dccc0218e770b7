import { createBytePairEncoder } from "./byte-pairs.ts";

export interface WhisperVocabulary {
  /** The bytes of a token; none for a control token. */
  bytes(token: number): Uint8Array;
  /** The tokens of a text. */
  encode(text: string): number[];
  /** The control token before a text that precedes the recording. */
  readonly previous: number;
}

interface TokenizerFile {
  readonly added_tokens: readonly { readonly id: number; readonly content: string }[];
  readonly model: { readonly vocab: Readonly<Record<string, number>>; readonly merges: readonly string[] };
}

/** The tokens of tokenizer.json, in which bytes are written as printable characters. */
export function parseWhisperVocabulary(file: string): WhisperVocabulary {
  const { added_tokens: control, model }: TokenizerFile = JSON.parse(file);
  const characters = charactersOfBytes();
  const byteOf = new Map(characters.map((character, byte) => [character, byte]));
  const ids = new Map(Object.entries(model.vocab));
  const pieces: string[] = [];
  for (const [piece, id] of ids) pieces[id] = piece;
  const previous = control.find(({ content }) => content === "<|startofprev|>")?.id;
  if (previous === undefined) throw new Error("the vocabulary has no token for a text before the recording");
  let encode: ((text: string) => number[]) | undefined;
  return {
    // Control tokens are in another table: they are not text.
    bytes: (token) => Uint8Array.from([...(pieces[token] ?? "")].map((character) => byteOf.get(character) ?? 0x20)),
    encode(text) {
      // Most recordings come without a text.
      encode ??= createBytePairEncoder({ ids, merges: model.merges, characters });
      return encode(text);
    },
    previous,
  };
}

/** The character of each byte. Printable bytes stand for themselves, all others for a character from 256 on, in order. */
function charactersOfBytes(): string[] {
  const printable = (byte: number) =>
    (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || (byte >= 0xae && byte <= 0xff);
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(printable(byte) ? byte : next++));
}
