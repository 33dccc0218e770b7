import { bytesField, numberField, textField } from "../engines/onnx/protobuf.ts";
import { concatBytes } from "../lib/concat.ts";

/** Writes small ONNX models for tests. */

// Types of numbers in onnx.proto.
export const FLOAT = 1;
export const BYTE = 2;
const SIGNED_BYTE = 3;
const INT64 = 7;
const HALF = 10;

type Numbers = Float32Array | BigInt64Array | Uint8Array | Int8Array | Uint16Array;

export const node = (
  type: string,
  inputs: readonly string[],
  outputs: readonly string[],
  attributes: readonly Uint8Array[] = [],
  domain = "",
): Uint8Array =>
  bytesField(1, [
    ...inputs.map((input) => textField(1, input)),
    ...outputs.map((output) => textField(2, output)),
    textField(4, type),
    ...attributes,
    textField(7, domain),
  ]);

function typeOf(values: Numbers): number {
  if (values instanceof Float32Array) return FLOAT;
  if (values instanceof BigInt64Array) return INT64;
  // Numbers of 16 bits are given by their bits.
  if (values instanceof Uint16Array) return HALF;
  return values instanceof Int8Array ? SIGNED_BYTE : BYTE;
}

/** A weight. */
export const numbers = (name: string, values: Numbers, shape: readonly number[] = [values.length]): Uint8Array =>
  bytesField(5, [
    ...shape.map((size) => numberField(1, size)),
    numberField(2, typeOf(values)),
    textField(8, name),
    bytesField(9, [new Uint8Array(values.buffer, values.byteOffset, values.byteLength)]),
  ]);

export const scalar = (name: string, value: number): Uint8Array => numbers(name, Float32Array.of(value), []);

export const integers = (name: string, ...values: readonly number[]): Uint8Array =>
  numbers(name, BigInt64Array.from(values, BigInt));

function port(field: number, name: string, type: number, shape: readonly (number | string)[]): Uint8Array {
  const dimensions = shape.map((size) =>
    bytesField(1, [typeof size === "number" ? numberField(1, size) : textField(2, size)]),
  );
  return bytesField(field, [
    textField(1, name),
    bytesField(2, [bytesField(1, [numberField(1, type), bytesField(2, dimensions)])]),
  ]);
}

type Port = (name: string, type: number, shape: readonly (number | string)[]) => Uint8Array;
export const input: Port = (...rest) => port(11, ...rest);
export const output: Port = (...rest) => port(12, ...rest);

export function modelOf(graph: readonly Uint8Array[]): Uint8Array {
  const opset = (domain: string, version: number) => bytesField(8, [textField(1, domain), numberField(2, version)]);
  return concatBytes([
    numberField(1, 8),
    bytesField(7, [...graph, textField(2, "test")]),
    opset("", 18),
    opset("com.microsoft", 1),
  ]);
}
