import assert from "node:assert/strict";
import { test } from "node:test";
import { endScores, sentenceEndProbability, sentenceMarks } from "./sentence-end.ts";

const texts = [".", "?", "!", ",", "", " word", ",,", "...", '."'];
const marks = sentenceMarks((token) => texts[token] ?? "", texts.length, texts.indexOf(""));
const scores = (probabilities: Readonly<Record<string, number>>) =>
  endScores(
    Float32Array.from(texts, (text) => 3 + Math.log(probabilities[text] ?? 0)),
    marks,
  );
const near = (actual: number, expected: number) => assert.ok(Math.abs(actual - expected) < 1e-5, `${actual}`);

test("the marks of a vocabulary are found, also with quotes and doubled", () => {
  const named = (tokens: readonly number[]) => tokens.map((token) => texts[token]);
  assert.deepEqual(named(marks.ends), [".", "?", "!", '."']);
  assert.deepEqual(named(marks.goesOn), [",", ",,", "..."]);
});

test("a mark that ends a sentence counts against those after which it goes on", () => {
  const { logOdds, probability } = scores({ ".": 0.5, '."': 0.1, ",": 0.15, ",,": 0.05, "": 0.1, " word": 0.1 });
  near(logOdds, Math.log(3));
  near(probability, 0.7);
  assert.ok(scores({ ".": 1 }).logOdds > 20 && scores({ ",": 1 }).logOdds < -20);
});

test("a sentence has ended by what is heard and by its text, unless the text is not whole", () => {
  const heard = scores({ ".": 0.9, ",": 0.1 });
  const odds = (text: Readonly<Record<string, number>>): number => {
    const probability = sentenceEndProbability(heard, scores(text));
    return probability / (1 - probability);
  };
  near(odds({ ".": 0.2, ",": 0.1, " word": 0.7 }), 9 * 2 * 0.2);
  near(odds({ ".": 0.1, "": 0.1, ",": 0.2, " word": 0.6 }), 9 * 0.5 * 0.2);
  near(odds({ ".": 0.002, ",": 0.002, " word": 0.996 }), 9 * 0.002);
});
