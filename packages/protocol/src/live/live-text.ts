import { MessagePackError } from "../wire/message-pack-scan.ts";

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Decodes UTF-8 that may also contain halves of surrogate pairs. The tokens of a language model are cut anywhere, and a
 * client in JavaScript sends half an emoji as three bytes that are invalid in strict UTF-8; the next piece has the other half.
 */
export function decodeTextPiece(bytes: Uint8Array): string {
  let text = "";
  let from = 0;
  for (let at = 0; at + 2 < bytes.length; at += 1) {
    const [lead = 0, second = 0, third = 0] = bytes.subarray(at, at + 3);
    if (lead !== 0xed || second < 0xa0 || second > 0xbf || third < 0x80 || third > 0xbf) continue;
    text += strict(bytes.subarray(from, at)) + String.fromCharCode(0xd000 | ((second & 0x3f) << 6) | (third & 0x3f));
    from = at + 3;
    at += 2;
  }
  return text + strict(bytes.subarray(from));
}

function strict(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    throw new MessagePackError("a string is not UTF-8");
  }
}

/** Joins surrogate pairs that were cut between two pieces: the result never ends in the first half of a pair. */
export function createSurrogateJoiner(): (piece: string) => string {
  let half = "";
  return (piece) => {
    const text = half + piece;
    half = /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : "";
    return half === "" ? text : text.slice(0, -1);
  };
}
