import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseJsonPieces } from "./json-pieces.ts";

interface Result {
  readonly value?: unknown;
  readonly error?: unknown;
  readonly pieces: number;
}

function parse(text: string | Buffer, pieceBytes: number): Result {
  const reading = parseJsonPieces(Buffer.from(text), pieceBytes);
  for (let pieces = 1; ; pieces += 1) {
    try {
      const { done, value } = reading.next();
      if (done === true) return { value, pieces };
    } catch (error) {
      return { error, pieces };
    }
  }
}

function withJsonParse(text: string): Result {
  try {
    return { value: JSON.parse(text), pieces: 1 };
  } catch (error) {
    return { error, pieces: 1 };
  }
}

const TEXTS: readonly string[] = [
  '{"text":"a\\n\\"b\\\\","references":[{"audio":[1,2,-3.5e2,0],"text":"ж😀\\ud83d\\ude00\\u0416"}],"seed":null}',
  ' [ 1 , 2 , "a" , [ ] , { } , true , [ 3 , 4 ] , null , false ] ',
  '{"__proto__":{"a":1},"a":1,"a":2,"1":3,"":""}',
  '"only a string"',
  "-12.5e-3",
  " null\r\n\t",
  "[[[[]]],[{}],1]",
  '{"a":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,"x",16,17,18,19]}',
  "",
  "[1,]",
  "[,1]",
  '["a",]',
  '["a", ,1]',
  '["a" 1]',
  '[1 "a"]',
  "[1,,2]",
  "[1}",
  '{"a":1,}',
  '{"a" 1}',
  "{a:1}",
  '{"a":}',
  "[1]]",
  '"a\\x"',
  '"\\u12"',
  '"unfinished',
  '"line\nbreak"',
  "[01]",
  "tru",
];

/** Each text, without one of its characters, and with one of them doubled. */
function* variants(): Generator<string> {
  for (const text of TEXTS) {
    yield text;
    for (let at = 0; at < text.length; at += 1) {
      yield text.slice(0, at) + text.slice(at + 1);
      yield text.slice(0, at) + text.slice(at, at + 1) + text.slice(at);
    }
  }
}

describe("JSON that is parsed in pieces", () => {
  it("gives the values and the errors of JSON.parse, wherever the pieces end", () => {
    for (const text of variants()) {
      // A surrogate without its other half cannot be sent.
      if (Buffer.from(text).toString() !== text) continue;
      const expected = withJsonParse(text);
      for (const pieceBytes of [1, 2, 3, 7, 1000]) {
        const { value, error } = parse(text, pieceBytes);
        const message = `${JSON.stringify(text)} in pieces of ${pieceBytes}`;
        assert.equal(error === undefined, expected.error === undefined, message);
        assert.deepEqual(value, expected.value, message);
      }
    }
  });

  it("gives many pieces for long strings, arrays, spaces and numbers", () => {
    const long = [
      `"${"a".repeat(10_000)}"`,
      `"${"\\u0001".repeat(2000)}"`,
      `[${"1,".repeat(5000)}2]`,
      `[${" ".repeat(10_000)}]`,
      `[1${"0".repeat(10_000)}]`,
      "1".repeat(10_000),
    ];
    for (const text of long) {
      const { value, pieces } = parse(text, 100);
      assert.deepEqual(value, JSON.parse(text));
      assert.ok(pieces > 50, `${text.slice(0, 20)}… in ${pieces} pieces`);
    }
  });

  it("reads past a byte order mark, and refuses bytes that are not UTF-8", () => {
    assert.deepEqual(parse("\ufeff[1]", 100).value, [1]);
    assert.deepEqual(parse('"\ufeffa"', 1).value, "\ufeffa");
    assert.ok(parse(Buffer.from([0x22, 0xff, 0x22]), 100).error);
  });

  it("names the position of a fault", () => {
    const { error } = parse(`{"a":"${"b".repeat(500)}",}`, 100);
    assert.match(String(error), /at position 508/);
  });
});
