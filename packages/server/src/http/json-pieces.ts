/** How much of a large body is read before other requests are served. */
export const PIECE_BYTES = 64 * 1024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const LETTER_U = 0x75;

const BYTE_ORDER_MARK: readonly number[] = [0xef, 0xbb, 0xbf];

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
/** Whether the byte is inside a character of UTF-8. */
const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;
/** Whether a number or a literal ends here, if it is not followed by a comma. */
const endsScalars = (byte: number | undefined): boolean =>
  byte === QUOTE ||
  byte === OPEN_BRACKET ||
  byte === CLOSE_BRACKET ||
  byte === OPEN_BRACE ||
  byte === CLOSE_BRACE ||
  byte === undefined;

type Piecewise<Value> = Generator<void, Value>;

/**
 * `JSON.parse` for a large body: yields after each piece, so that other requests can be served in between. The values are those
 * of `JSON.parse`, which reads pieces of long strings and of arrays of numbers. For bodies whose structure is within the bounds.
 */
export function* parseJsonPieces(body: Uint8Array, pieceBytes = PIECE_BYTES): Piecewise<unknown> {
  const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let at = 0;
  let yieldedAt = 0;

  const fail = (position = at): never => {
    throw new SyntaxError(`at position ${position}`);
  };
  function* rest(): Piecewise<void> {
    yieldedAt = at;
    yield;
  }
  function* skipSpace(): Piecewise<void> {
    while (isSpace(body[at])) {
      at += 1;
      if (at - yieldedAt >= pieceBytes) yield* rest();
    }
  }
  const parse = (text: string, start: number): unknown => {
    try {
      return JSON.parse(text);
    } catch (error) {
      const inside = /at position (\d+)/.exec(error instanceof Error ? error.message : "")?.[1] ?? "1";
      return fail(start + Number(inside) - 1);
    }
  };
  const decode = (start: number, end: number): string => utf8.decode(body.subarray(start, end));

  function* readString(): Piecewise<string> {
    let text = "";
    at += 1;
    for (;;) {
      const start = at;
      while (at < body.length && body[at] !== QUOTE && (at - start < pieceBytes || isContinuation(body[at]))) {
        if (body[at] === BACKSLASH) at += body[at + 1] === LETTER_U ? 6 : 2;
        else at += 1;
      }
      if (at >= body.length) fail(body.length);
      text += parse(`"${decode(start, at)}"`, start);
      if (at - yieldedAt >= pieceBytes) yield* rest();
      if (body[at] !== QUOTE) continue;
      at += 1;
      return text;
    }
  }

  /** The end of the numbers and literals from here on: the next other token, or the last comma of a piece. */
  function* findScalarsEnd(): Piecewise<number> {
    let lastComma = -1;
    let position = at;
    for (; !endsScalars(body[position]); position += 1) {
      if (body[position] === COMMA) lastComma = position;
      if (position - yieldedAt < pieceBytes) continue;
      yieldedAt = position;
      yield;
      if (lastComma >= 0) return lastComma;
    }
    return body[position] === CLOSE_BRACKET ? position : lastComma;
  }

  function* readArray(): Piecewise<unknown[]> {
    const values: unknown[] = [];
    at += 1;
    yield* skipSpace();
    if (body[at] === CLOSE_BRACKET) {
      at += 1;
      return values;
    }
    for (;;) {
      yield* skipSpace();
      if (body[at] === QUOTE || body[at] === OPEN_BRACE || body[at] === OPEN_BRACKET) {
        values.push(yield* readValue());
        yield* skipSpace();
      } else {
        const end = yield* findScalarsEnd();
        if (end < 0) fail();
        const scalars = parse(`[${decode(at, end)}]`, at);
        if (!Array.isArray(scalars) || scalars.length === 0) return fail();
        for (const value of scalars) values.push(value);
        at = end;
      }
      const next = body[at];
      if (next !== COMMA && next !== CLOSE_BRACKET) fail();
      at += 1;
      if (next === CLOSE_BRACKET) return values;
    }
  }

  function* readObject(): Piecewise<object> {
    const value = {};
    at += 1;
    yield* skipSpace();
    if (body[at] === CLOSE_BRACE) {
      at += 1;
      return value;
    }
    for (;;) {
      yield* skipSpace();
      if (body[at] !== QUOTE) fail();
      const key = yield* readString();
      yield* skipSpace();
      if (body[at] !== COLON) fail();
      at += 1;
      yield* skipSpace();
      // An assignment to `__proto__` would change the object's prototype.
      const property = { value: yield* readValue(), writable: true, enumerable: true, configurable: true };
      Object.defineProperty(value, key, property);
      yield* skipSpace();
      const next = body[at];
      if (next !== COMMA && next !== CLOSE_BRACE) fail();
      at += 1;
      if (next === CLOSE_BRACE) return value;
    }
  }

  function* readScalar(): Piecewise<unknown> {
    const start = at;
    while (!endsScalars(body[at]) && body[at] !== COMMA && !isSpace(body[at])) {
      at += 1;
      if (at - yieldedAt >= pieceBytes) yield* rest();
    }
    return parse(decode(start, at), start);
  }

  function* readValue(): Piecewise<unknown> {
    if (body[at] === QUOTE) return yield* readString();
    if (body[at] === OPEN_BRACKET) return yield* readArray();
    if (body[at] === OPEN_BRACE) return yield* readObject();
    return yield* readScalar();
  }

  if (BYTE_ORDER_MARK.every((byte, index) => body[index] === byte)) at = BYTE_ORDER_MARK.length;
  yield* skipSpace();
  const value = yield* readValue();
  yield* skipSpace();
  if (at < body.length) fail();
  return value;
}
