import { MessagePackError } from "../wire/message-pack-scan.ts";

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * UTF-8 that may also hold halves of surrogate pairs. A language model's tokens are cut anywhere, and a client written in
 * JavaScript sends the half of an emoji as three bytes that strict UTF-8 does not know; the next piece has the other half.
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

/** Puts pairs together again that were cut between two pieces: what it gives never ends in the first half of one. */
export function createPairJoiner(): (piece: string) => string {
  let half = "";
  return (piece) => {
    const text = half + piece;
    half = /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : "";
    return half === "" ? text : text.slice(0, -1);
  };
}
