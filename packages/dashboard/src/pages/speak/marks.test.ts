import assert from "node:assert/strict";
import { test } from "node:test";
import { MARKS, speakersOf } from "./marks.ts";

/** The text after a mark was inserted, with the selection in braces. */
function marked(name: string, given: string): string {
  const [before = "", inner = "", after = ""] = given.split(/[{}]/);
  const mark = MARKS.find((each) => each.name === name) ?? assert.fail(name);
  const selected = { text: before + inner + after, from: before.length, to: before.length + inner.length };
  const { text, from, to } = mark.insert(selected);
  return `${before}${text.slice(0, from)}{${text.slice(from, to)}}${text.slice(to)}${after}`;
}

test("a pause is inserted at the cursor, or after the selection", () => {
  assert.equal(marked("Pause", "Well{}, then"), "Well[break]{}, then");
  assert.equal(marked("Long pause", "{Well} then"), "Well[long-break]{} then");
});

test("phonemes and spelling enclose the selection, which stays selected", () => {
  assert.equal(marked("Spell out", "The {NASA}."), "The <|spell_start|>{NASA}<|spell_end|>.");
  assert.equal(marked("Phonemes", "Say {}."), "Say <|phoneme_start|>{həlˈoʊ}<|phoneme_end|>.");
});

test("a speaker begins at the cursor, or speaks the selection only", () => {
  assert.equal(marked("Speaker", "A. {}B."), "A. <|speaker:1|>{}B.");
  assert.equal(marked("Speaker", "A. {B.} C."), "A. <|speaker:1|>{B.}<|speaker:0|> C.");
  assert.equal(marked("Speaker", "<|speaker:2|>A. {}B."), "<|speaker:2|>A. <|speaker:0|>{}B.");
});

test("speakers are counted up to the limit of a request", () => {
  assert.equal(speakersOf("none"), 0);
  assert.equal(speakersOf("<|speaker:3|>a<|speaker:1|>"), 3);
  assert.equal(speakersOf("<|speaker:900|>"), 31);
});
