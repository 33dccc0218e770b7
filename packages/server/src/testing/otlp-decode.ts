/** The fields of OTLP's protobuf that the tests check. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string;
  readonly tracestate: string;
  readonly name: string;
  /** 1: internal, 2: server. */
  readonly kind: number;
  readonly fromNs: bigint;
  readonly toNs: bigint;
  /** 0: unset, 2: error. */
  readonly status: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly resource: Readonly<Record<string, unknown>>;
  readonly scope: string;
  /** Bit 0x100: whether bit 0x200 is valid; bit 0x200: the parent is remote. */
  readonly flags: number;
}

type Value = bigint | Buffer;
type Message = ReadonlyMap<number, readonly Value[]>;

export function decodeTraces(body: Buffer): ReceivedSpan[] {
  return messages(read(body), 1).flatMap((resourceSpans) => {
    const resource = attributesOf(messages(messages(resourceSpans, 1)[0], 1));
    return messages(resourceSpans, 2).flatMap((scopeSpans) => {
      const scope = text(messages(scopeSpans, 1)[0], 1);
      return messages(scopeSpans, 2).map((span) => ({
        traceId: hex(span, 1),
        spanId: hex(span, 2),
        tracestate: text(span, 3),
        parentId: hex(span, 4),
        name: text(span, 5),
        kind: Number(number(span, 6)),
        fromNs: number(span, 7),
        toNs: number(span, 8),
        attributes: attributesOf(messages(span, 9)),
        status: Number(number(messages(span, 15)[0], 3)),
        flags: Number(number(span, 16)),
        resource,
        scope,
      }));
    });
  });
}

function attributesOf(pairs: readonly Message[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(pairs.map((pair) => [text(pair, 1), anyValueOf(messages(pair, 2)[0])]));
}

function anyValueOf(value: Message | undefined): unknown {
  if (value?.has(1)) return text(value, 1);
  if (value?.has(2)) return number(value, 2) !== 0n;
  if (value?.has(3)) return Number(number(value, 3));
  const bits = Buffer.alloc(8);
  bits.writeBigUInt64LE(number(value, 4));
  return bits.readDoubleLE();
}

/** Fields by their numbers: varints and fixed numbers as they are, everything else as bytes. */
function read(bytes: Buffer): Message {
  const fields = new Map<number, Value[]>();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const next = (type: number): Value => {
    if (type === 0) return varint();
    if (type !== 1 && type !== 2 && type !== 5) throw new Error(`no such wire type: ${type}`);
    const length = type === 1 ? 8 : type === 5 ? 4 : Number(varint());
    const start = at;
    at += length;
    if (at > bytes.length) throw new Error("a field is longer than its message");
    if (type === 2) return bytes.subarray(start, at);
    return type === 1 ? bytes.readBigUInt64LE(start) : BigInt(bytes.readUInt32LE(start));
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const known = fields.get(tag >>> 3) ?? [];
    known.push(next(tag & 7));
    fields.set(tag >>> 3, known);
  }
  return fields;
}

function messages(message: Message | undefined, field: number): Message[] {
  return (message?.get(field) ?? []).map((value) => read(Buffer.isBuffer(value) ? value : Buffer.alloc(0)));
}

function number(message: Message | undefined, field: number): bigint {
  const value = message?.get(field)?.[0];
  return typeof value === "bigint" ? value : 0n;
}

function text(message: Message | undefined, field: number): string {
  const value = message?.get(field)?.[0];
  return Buffer.isBuffer(value) ? value.toString("utf8") : "";
}

function hex(message: Message | undefined, field: number): string {
  const value = message?.get(field)?.[0];
  return Buffer.isBuffer(value) ? value.toString("hex") : "";
}
