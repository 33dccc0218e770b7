/** The part of the protobuf wire format that ONNX files need. Fields are read as views, without copies. */

import { concatBytes } from "../../lib/concat.ts";

export interface Field {
  readonly number: number;
  /** 0 varint, 1 eight bytes, 2 length-delimited, 5 four bytes. */
  readonly wireType: number;
  /** The value of a varint; 0 otherwise. The values that are read here are below 2^53. */
  readonly value: number;
  /** The contents of a length-delimited field; empty otherwise. */
  readonly bytes: Uint8Array;
  /** The whole field, tag included, to be written again unchanged. */
  readonly raw: Uint8Array;
}

const EMPTY: Uint8Array = new Uint8Array(0);

export function* readFields(buffer: Uint8Array): Generator<Field> {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = buffer[at++];
      if (byte === undefined || scale > 2 ** 63) throw new Error("damaged protobuf: a number runs past its end");
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < buffer.length) {
    const start = at;
    const tag = varint();
    const wireType = tag % 8;
    let value = 0;
    let bytes = EMPTY;
    if (wireType === 0) value = varint();
    else if (wireType === 1) at += 8;
    else if (wireType === 5) at += 4;
    else if (wireType === 2) {
      const length = varint();
      bytes = buffer.subarray(at, at + length);
      at += length;
    } else throw new Error(`damaged protobuf: wire type ${wireType}`);
    if (at > buffer.length) throw new Error("damaged protobuf: a field runs past its end");
    yield { number: Math.floor(tag / 8), wireType, value, bytes, raw: buffer.subarray(start, at) };
  }
}

/** The value of a varint that may be negative: such numbers take all 64 bits, more than a double holds. */
export function signedValue({ raw }: Field): number {
  let value = 0n;
  let shift = 0n;
  let inTag = true;
  for (const byte of raw) {
    if (!inTag) {
      value |= BigInt(byte & 127) << shift;
      shift += 7n;
    }
    if (byte < 128) inTag = false;
  }
  return Number(BigInt.asIntN(64, value));
}

/** Negative numbers take all 64 bits. */
export function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest >= 128n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}

export function numberField(number: number, value: number): Uint8Array {
  return concatBytes([varint(number * 8), varint(value)]);
}

export function bytesField(number: number, parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return concatBytes([varint(number * 8 + 2), varint(length), ...parts]);
}

export function textField(number: number, text: string): Uint8Array {
  return bytesField(number, [Buffer.from(text)]);
}
