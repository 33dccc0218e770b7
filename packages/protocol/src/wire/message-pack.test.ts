import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { decode, encode } from "@msgpack/msgpack";
import fc from "fast-check";
import { decodeMessagePack, encodeMessagePack } from "./message-pack.ts";
import { MessagePackError, scanMessagePack } from "./message-pack-scan.ts";

/** Values that requests are made of. */
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.string({ unit: "grapheme" }),
    fc.integer(),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
    fc.boolean(),
    fc.constant(null),
    fc.uint8Array().map((bytes) => Uint8Array.from(bytes)),
    fc.array(tie("value"), { maxLength: 20 }),
    fc.dictionary(
      fc.string().filter((key) => key !== "__proto__"),
      tie("value"),
      { noNullPrototype: true, maxKeys: 20 },
    ),
  ),
})).value;

/** Node's decoder answers bytes as Buffers; what counts is what is in them. */
function plain(input: unknown): unknown {
  if (input instanceof Uint8Array) return Uint8Array.from(input);
  if (Array.isArray(input)) return input.map(plain);
  if (typeof input !== "object" || input === null) return input;
  return Object.fromEntries(Object.entries(input).map(([key, entry]) => [key, plain(entry)]));
}

describe("MessagePack", () => {
  it("reads what @msgpack/msgpack writes", () => {
    fc.assert(fc.property(value, (input) => assert.deepEqual(plain(decodeMessagePack(encode(input))), input)));
  });

  it("writes what @msgpack/msgpack reads", () => {
    fc.assert(fc.property(value, (input) => assert.deepEqual(plain(decode(encodeMessagePack(input))), input)));
  });

  it("reads large integers as numbers", () => {
    assert.equal(decodeMessagePack(encode(2 ** 40)), 2 ** 40);
    assert.equal(decodeMessagePack(Uint8Array.of(0xcf, 0, 0, 0, 0, 0, 0, 0, 5)), 5);
  });

  it("returns bytes that later calls do not change", () => {
    const first = encodeMessagePack({ a: "first" });
    const copy = Uint8Array.from(first);
    for (let i = 0; i < 100; i += 1) encodeMessagePack({ a: "other" });
    assert.deepEqual(first, copy);
  });
});

describe("hostile MessagePack", () => {
  const refused: readonly (readonly [string, Uint8Array])[] = [
    ["nothing at all", Uint8Array.of()],
    ["an array that announces four thousand million items", Uint8Array.of(0xdd, 0xff, 0xff, 0xff, 0xff)],
    ["a map that announces more than is there", Uint8Array.of(0xdf, 0x7f, 0xff, 0xff, 0xff, 0xa1, 0x61)],
    ["bytes that end early", Uint8Array.of(0xc4, 10, 1, 2)],
    ["a length that ends early", Uint8Array.of(0xdb, 0, 0)],
    ["a number that ends early", Uint8Array.of(0xcb, 0, 0)],
    ["a second value behind the first", Uint8Array.of(0x01, 0x02)],
    ["a key that is not a string", Uint8Array.of(0x81, 0x01, 0x02)],
    ["a string that is not UTF-8", Uint8Array.of(0xa1, 0xff)],
    ["an extension type", Uint8Array.of(0xd4, 0x78, 0x00)],
    ["the unused type", Uint8Array.of(0xc1)],
    ["a million nested arrays", new Uint8Array(1_000_000).fill(0x91)],
  ];
  for (const [name, bytes] of refused) {
    it(`is refused: ${name}`, () => assert.throws(() => decodeMessagePack(bytes), MessagePackError));
  }

  it("is either refused by the scan or decoded", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        try {
          scanMessagePack(bytes);
        } catch (error) {
          assert.ok(error instanceof MessagePackError);
          return;
        }
        decodeMessagePack(bytes);
      }),
      { numRuns: 2000 },
    );
  });
});
