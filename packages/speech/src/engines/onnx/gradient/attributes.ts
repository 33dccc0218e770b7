import { type Field, readFields, signedValue } from "../protobuf.ts";

/** The attributes of a node, by name. */
export interface Attributes {
  integer(name: string, otherwise: number): number;
  number(name: string, otherwise: number): number;
  integers(name: string): readonly number[] | undefined;
  text(name: string): string | undefined;
  /** Those with one of these names, as they are in the file. */
  only(...names: readonly string[]): readonly Uint8Array[];
}

// Field numbers of onnx.proto.
const ATTRIBUTE = { name: 1, number: 2, integer: 3, text: 4, integers: 8 };

const FLOAT_BYTES = 4;

export function readAttributes(attributes: readonly Uint8Array[]): Attributes {
  const parsed = new Map(
    attributes.map((raw) => {
      const [field] = readFields(raw);
      const parts = field ? [...readFields(field.bytes)] : [];
      return [text(parts.find(({ number }) => number === ATTRIBUTE.name)) ?? "", { raw, parts }] as const;
    }),
  );
  const part = (name: string, kind: number) => parsed.get(name)?.parts.find(({ number }) => number === kind);
  return {
    integer(name, otherwise) {
      const field = part(name, ATTRIBUTE.integer);
      return field ? signedValue(field) : otherwise;
    },
    number(name, otherwise) {
      const field = part(name, ATTRIBUTE.number);
      return field ? new DataView(new Uint8Array(field.raw.slice(-FLOAT_BYTES)).buffer).getFloat32(0, true) : otherwise;
    },
    integers: (name) =>
      parsed
        .get(name)
        ?.parts.filter(({ number }) => number === ATTRIBUTE.integers)
        .map(signedValue),
    text: (name) => text(part(name, ATTRIBUTE.text)),
    only: (...names) => names.flatMap((name) => parsed.get(name)?.raw ?? []),
  };
}

const text = (field: Field | undefined): string | undefined =>
  field ? Buffer.from(field.bytes).toString() : undefined;
