import { isRecord } from "../wire/shape.ts";

/**
 * Reference audio comes as bytes in MessagePack; JSON has no bytes, so clients spell them as base64,
 * as an array of integers, or the way Node prints a Buffer. Undefined when it is none of these.
 */
export function toAudioBytes(value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value;
  if (typeof value === "string") return fromBase64(value);
  if (Array.isArray(value)) return fromIntegers(value);
  if (isRecord(value) && value.type === "Buffer" && Array.isArray(value.data)) return fromIntegers(value.data);
  return undefined;
}

function fromBase64(text: string): Uint8Array | undefined {
  const compact = text.replace(/\s+/g, "").replaceAll("-", "+").replaceAll("_", "/");
  try {
    return Uint8Array.from(atob(compact), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function fromIntegers(values: readonly unknown[]): Uint8Array | undefined {
  const bytes = new Uint8Array(values.length);
  for (const [index, value] of values.entries()) {
    if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value > 255) return undefined;
    bytes[index] = value;
  }
  return bytes;
}
