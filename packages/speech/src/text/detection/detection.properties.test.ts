import assert from "node:assert/strict";
import { before, it } from "node:test";
import fc from "fast-check";
import { anySteps, pushInPieces } from "../../testing/push-in-pieces.ts";
import { type ChunkOptions, planChunks } from "../chunks.ts";
import type { SpeechChunk } from "../types.ts";
import { createLanguageFinder, type LanguageFinder } from "./language-finder.ts";
import { loadLatinScores } from "./latin-scores.ts";

const PHRASES = [
  ..."the quick brown fox | el perro come carne, y | je voudrais une bière, s'il | 日本語を話します | 你好世界 | नमस्ते दुनिया".split(
    "|",
  ),
  ..."привет мир | مرحبا | 25 | ... | . | ! | , | [happy] | <|speaker:1|> | 。| \n\n | a | München ist schön | OK".split(
    "|",
  ),
];
const text = fc
  .array(fc.tuple(fc.constantFrom(...PHRASES), fc.constantFrom(" ", " ", ". ", ", ", "")), { maxLength: 30 })
  .map((parts) => parts.flat().join(""));

let finders: readonly LanguageFinder[];
before(async () => {
  const latinScores = await loadLatinScores();
  const languages = ["en-us", "en-gb", "es", "fr-fr", "hi", "ja", "zh"];
  finders = ["en-us", "ja"].map((voiceLanguage) => createLanguageFinder({ voiceLanguage, languages, latinScores }));
});

it("the words and their languages do not depend on how the text arrives", () => {
  fc.assert(
    fc.property(text, anySteps, (whole, steps) => {
      const options: ChunkOptions = {
        ...{ latency: "balanced", chunkLength: 200, minChunkLength: 50, normalize: true },
        languageOf: () => "en-us",
        finderOf: (speaker) => {
          const finder = finders[speaker % finders.length];
          assert.ok(finder);
          return finder;
        },
      };
      const { chunks } = pushInPieces(whole, options, steps);
      assert.deepEqual(wordsWithLanguages(chunks), wordsWithLanguages([...planChunks(whole, options)]));
      assert.equal(chunks.map((chunk) => chunk.text).join(""), whole);
    }),
    { numRuns: 300 },
  );
});

const wordsWithLanguages = (chunks: readonly SpeechChunk[]) =>
  chunks.flatMap(({ words, language }) => words.map((word) => ({ ...word, language: word.language ?? language })));
