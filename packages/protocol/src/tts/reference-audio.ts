import { isRecord } from "../wire/shape.ts";

/**
 * Reference audio comes as bytes in MessagePack; JSON has no bytes, so clients send base64,
 * an array of integers, or a Buffer as Node serializes it. Undefined when it is none of these.
 */
export function toAudioBytes(value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value;
  if (typeof value === "string") return fromBase64(value);
  if (Array.isArray(value)) return fromIntegers(value);
  if (isRecord(value) && value.type === "Buffer" && Array.isArray(value.data)) return fromIntegers(value.data);
  return undefined;
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const [SKIPPED, PADDING, INVALID] = [64, 65, 66];
/** The value of each UTF-16 unit, in both alphabets of base64. */
const SEXTETS = new Uint8Array(65_536).fill(INVALID);
for (let value = 0; value < ALPHABET.length; value += 1) SEXTETS[ALPHABET.charCodeAt(value)] = value;
SEXTETS["-".charCodeAt(0)] = 62;
SEXTETS["_".charCodeAt(0)] = 63;
SEXTETS["=".charCodeAt(0)] = PADDING;
for (const space of " \t\r\n\f") SEXTETS[space.charCodeAt(0)] = SKIPPED;

const sextetAt = (text: string, at: number): number => SEXTETS[text.charCodeAt(at)] ?? INVALID;

/** In one pass: a request may have 16 MiB of it, and `atob` with a conversion takes many times as long. */
function fromBase64(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let [size, bits, count, padding] = [0, 0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    // Most groups of four have neither spaces nor padding. Character by character takes four times as long.
    while (count % 4 === 0 && padding === 0 && at + 4 <= text.length) {
      const first = sextetAt(text, at);
      const second = sextetAt(text, at + 1);
      const third = sextetAt(text, at + 2);
      const fourth = sextetAt(text, at + 3);
      if ((first | second | third | fourth) >= SKIPPED) break;
      const group = (first << 18) | (second << 12) | (third << 6) | fourth;
      bytes[size] = group >> 16;
      bytes[size + 1] = group >> 8;
      bytes[size + 2] = group;
      size += 3;
      at += 4;
    }
    if (at >= text.length) break;
    const value = sextetAt(text, at);
    if (value === SKIPPED) continue;
    if (value === INVALID || (padding > 0 && value !== PADDING)) return undefined;
    if (value === PADDING) {
      padding += 1;
      continue;
    }
    bits = ((bits << 6) | value) & 0xfff;
    count += 1;
    if (count % 4 !== 1) bytes[size++] = bits >> (6 - 2 * ((count - 1) % 4));
  }
  // A single character has six bits, less than a byte. Padding fills the last group or is left out.
  if (count % 4 === 1 || (padding > 0 && (count + padding) % 4 !== 0) || padding > 2) return undefined;
  return bytes.subarray(0, size);
}

function fromIntegers(values: readonly unknown[]): Uint8Array | undefined {
  const bytes = new Uint8Array(values.length);
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index];
    if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value > 255) return undefined;
    bytes[index] = value;
  }
  return bytes;
}
