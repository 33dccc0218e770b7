import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { toSegments, toWordSegments } from "./segments.ts";
import type { TranscribedWord } from "./transcribe-span.ts";

/** Half a second for each word; numbers in brackets are pauses. */
function wordsOf(text: string, language = "en"): TranscribedWord[] {
  let now = 0;
  return text.split(" ").flatMap((part) => {
    const pause = part.match(/^\[([\d.]+)\]$/)?.[1];
    const start = now;
    now += pause ? Number(pause) : 0.5;
    return pause ? [] : [{ text: part, start, end: now, joined: false, language }];
  });
}

test("sentences are segments, with their times", () => {
  assert.deepEqual(toSegments(wordsOf("Good morning. Mr. Smith is here! Is he?")), [
    { text: "Good morning.", start: 0, end: 1 },
    { text: "Mr. Smith is here!", start: 1, end: 3 },
    { text: "Is he?", start: 3, end: 4 },
  ]);
});

test("a long silence separates two segments, with or without punctuation", () => {
  const texts = toSegments(wordsOf("we waited and [2] then it rained")).map((segment) => segment.text);
  assert.deepEqual(texts, ["we waited and", "then it rained"]);
});

test("a long sentence is split at commas and pauses", () => {
  const texts = toSegments(
    wordsOf("When the rain had stopped at last, we went down to the river, [0.4] where the boats lay on the sand."),
  ).map((segment) => segment.text);
  assert.deepEqual(texts, [
    "When the rain had stopped at last, we went down to the river,",
    "where the boats lay on the sand.",
  ]);
});

test("word segments have one word each", () => {
  assert.deepEqual(toWordSegments(wordsOf("Oh, no!")), [
    { text: "Oh,", start: 0, end: 0.5 },
    { text: "no!", start: 0.5, end: 1 },
  ]);
});

test("a segment has one language, and names it where the recording has several", () => {
  const words = [...wordsOf("we say", "en"), ...wordsOf("buenas noches", "es")];
  const named = (segments: ReturnType<typeof toSegments>) => segments.map(({ text, language }) => [text, language]);
  assert.deepEqual(named(toSegments(words)), [
    ["we say", "en"],
    ["buenas noches", "es"],
  ]);
  assert.deepEqual(named(toWordSegments(words)).at(-1), ["noches", "es"]);
});

test("no word is lost, segments are in order and short", () => {
  const anyWord = fc.record({
    text: fc.stringMatching(/^[a-zé]{1,12}[,.!?]?$/),
    seconds: fc.double({ min: 0.02, max: 1.2, noNaN: true }),
    pause: fc.double({ min: 0, max: 2.5, noNaN: true }),
    joined: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(anyWord, { maxLength: 60 }), (parts) => {
      let now = 0;
      const words = parts.map(({ text, seconds, pause, joined }, index) => {
        const start = now + pause;
        now = start + seconds;
        return { text, start, end: now, joined: joined && index > 0, language: "en" };
      });
      const segments = toSegments(words);
      assert.equal(
        segments.map(({ text }) => text.replaceAll(" ", "")).join(""),
        words.map(({ text }) => text).join(""),
      );
      segments.forEach((segment, index) => {
        assert.ok(segment.end >= segment.start && segment.start >= (segments[index - 1]?.end ?? 0) - 0.0011);
        assert.ok(segment.text.length <= 84 && segment.end - segment.start <= 7.002, JSON.stringify(segment));
      });
    }),
  );
});
