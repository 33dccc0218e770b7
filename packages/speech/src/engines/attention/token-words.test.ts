import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type TimedToken, textOf, wordsOf } from "./token-words.ts";

const token = (text: string, start: number): TimedToken => ({ bytes: Buffer.from(text), start });

test("words end where the next word or their punctuation begins", () => {
  const words = wordsOf([token(" Hel", 0), token("lo", 0.2), token(",", 0.5), token(" you", 0.9)], 1.2, true);
  assert.deepEqual(words, [
    { text: "Hello,", start: 0, end: 0.5, joined: false },
    { text: "you", start: 0.9, end: 1.2, joined: false },
  ]);
  assert.equal(textOf(words), "Hello, you");
});

test("a word is as likely as its least likely token, without its marks", () => {
  const likely = (text: string, probability: number): TimedToken => ({ ...token(text, 0), probability });
  const words = wordsOf([likely(" Hel", 0.9), likely("lo", 0.4), likely(",", 0.1), likely(" you", 0.8)], 1, true);
  assert.deepEqual(
    words.map(({ probability }) => probability),
    [0.4, 0.8],
  );
});

test("a character may be spread over tokens", () => {
  const bytes = Buffer.from(" né 😀");
  const tokens = [...bytes].map((byte, index) => ({ bytes: Uint8Array.of(byte), start: index }));
  assert.deepEqual(
    wordsOf(tokens, 20, true).map(({ text, start }) => [text, start]),
    [
      ["né", 1],
      ["😀", 5],
    ],
  );
});

test("languages without spaces give pieces that are joined without any", () => {
  const words = wordsOf(
    [token("今日", 0), token("は", 0.4), token("、", 0.6), token("晴れ", 0.8), token("。", 1)],
    1.2,
    false,
  );
  assert.deepEqual(
    words.map(({ text, end }) => [text, end]),
    [
      ["今日", 0.4],
      ["は、", 0.6],
      ["晴れ。", 1],
    ],
  );
  assert.equal(textOf(words), "今日は、晴れ。");
});

test("any bytes give words of whole characters, in order", () => {
  // Without U+FFFD, which marks invalid characters below.
  const anyTokens = fc
    .array(fc.uint8Array({ minLength: 1, maxLength: 4 }), { maxLength: 20 })
    .filter((pieces) => !Buffer.concat(pieces).includes("\uFFFD"));
  fc.assert(
    fc.property(anyTokens, fc.boolean(), (pieces, spaced) => {
      const words = wordsOf(
        pieces.map((bytes, start) => ({ bytes, start })),
        pieces.length,
        spaced,
      );
      words.forEach((word, index) => {
        assert.ok(word.text !== "" && !word.text.includes("\uFFFD"));
        assert.ok(word.end >= word.start && word.start >= (words[index - 1]?.start ?? 0));
      });
    }),
  );
});
