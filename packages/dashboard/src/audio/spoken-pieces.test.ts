import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { spokenPieces, type TimedWord, wordAt } from "./spoken-pieces.ts";

const timed = (...texts: string[]): TimedWord[] =>
  texts.map((text, index) => ({ text, start: index, end: index + 0.5 }));

describe("spokenPieces", () => {
  it("keeps punctuation, paragraphs and the text that is not spoken yet", () => {
    const text = "“Hello,” she said.\n\nAgain: hello!";
    const pieces = spokenPieces(text, timed("Hello", "she", "said", "Again"));
    assert.equal(pieces.map((piece) => piece.text).join(""), text);
    assert.deepEqual(
      pieces.filter(({ word }) => word !== undefined).map((piece) => piece.text),
      ["Hello", "she", "said", "Again"],
    );
    assert.deepEqual(pieces.at(-1), { text: ": hello!", word: undefined });
  });

  it("shows words that the text does not contain", () => {
    const pieces = spokenPieces("", timed("one", "two"));
    assert.equal(pieces.map((piece) => piece.text).join(""), "one two");
  });

  it("finds a repeated word at its own place", () => {
    const pieces = spokenPieces("no no no", timed("no", "no"));
    assert.deepEqual(
      pieces.map(({ word }) => word),
      [0, undefined, 1, undefined],
    );
  });
});

describe("wordAt", () => {
  it("is the word that is spoken, and none in a pause or after the end", () => {
    const words = timed("a", "b");
    assert.deepEqual(
      [-0.1, 0.2, 0.8, 1, 1.6, 9].map((seconds) => wordAt(words, seconds)),
      [-1, 0, -1, 1, 1, -1],
    );
  });
});
