import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { anySteps, pushInPieces } from "../testing/push-in-pieces.ts";
import { type ChunkOptions, planChunks } from "./chunks.ts";
import { MAX_CHUNK } from "./cuts.ts";
import { PLAIN_DELIVERY } from "./marks.ts";
import { readSentence } from "./read.ts";
import { sentenceAt } from "./sentences.ts";
import type { SpeechChunk, SpokenWord } from "./types.ts";

/** Written words that the rules know, most of them part of something longer. */
const WORDS =
  `Hello the and which Mr. Dr. U.S. p.m. a.m. 5 12 1,234.56 $3.50 $5 million March Jan. 3 3, 2021 '99 12/31/99 3:45 pm +44
  20 7946 0958 (202) 555-0143 202 Henry VIII I War II FBI CEOs AAA CA 90210 e.g. etc. No. Fig. St. km sq ft 5kg ½ 1/2 x² a@b.com
  https://example.com/a/b?c #tag #1 @me v1.2.3 3x4 x = + 3-2 won 10–12 and/or C++ AT&T 1984 people USD 7777777777777777777777`.split(
    /\s+/,
  );
const SIGNS = [
  ..."-—…!?,;:()[]“”'\"\n&%=<>*_/\\~^|$€.",
  "...",
  "--",
  "\n\n",
  "😀",
  "👨‍👩‍👧",
  "日本語",
  "。",
  "、",
  "，",
  "〜",
  "・",
  "(土)",
  "3時",
  "2024年",
  "08月",
  "〇",
  "「はい。」と",
  "ー",
  "नमस्ते",
  "।",
  "é",
];
/** Text without spaces. */
const CHARACTERS = [
  ..."東京は今日も晴れです 我们一起去公园散步吧 ニューヨーク 第3回 2024年5月 (土) 10:30 $1.5万 98% 1/3 5kg 〜 NBA 「そうだ。」と ー".split(
    " ",
  ),
];
const ODD = ["\u200b", "\u00ad", "٣", "①", "Ⅷ", "\ud83d", "\ude00", "<|", "|>", "(s)"];
const MARKS = [
  ..."[break] (long-break) [happy] (sad) (happy [bre <|speaker:1|> <|speaker:0|> <|nothing|>".split(" "),
  "(see below)",
  "[a link](https://example.com)",
  "<|phoneme_start|>HH AH0 L OW1<|phoneme_end|>",
  ..."[break 800ms] [break 2 <|spell_start|> <|spell_end|> <|speed:1.5|> <|speed:1|> <|volume:-6|>".split(" "),
  "<|spell_start|>NASA A1 x-7777777777777777777777<|spell_end|>",
  "<|language:fr|>",
];

const pieces = (scraps: fc.Arbitrary<string>, joints: readonly string[], least: number): fc.Arbitrary<string> =>
  fc
    .array(fc.tuple(scraps, fc.constantFrom(...joints)), { minLength: least, maxLength: least + 60 })
    .map((parts) => parts.flat().join(""));

const text = fc.oneof(
  pieces(fc.constantFrom(...WORDS, ...SIGNS, ...MARKS, ...ODD), [" ", " ", " ", "", ". "], 0),
  // Sentences that go on and on: here live text is spoken before its end is known.
  pieces(fc.constantFrom(...WORDS), [" ", " ", " ", ", "], 40),
  pieces(fc.constantFrom(...WORDS, ...MARKS), [" ", " ", " ", ", ", "; "], 40),
  pieces(fc.constantFrom(...CHARACTERS), ["", "", "", "、", "，", "。"], 40),
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.string({ unit: "grapheme", maxLength: 200 }),
);
const options: fc.Arbitrary<ChunkOptions> = fc.record({
  latency: fc.constantFrom("balanced", "normal"),
  chunkLength: fc.integer({ min: 100, max: 300 }),
  minChunkLength: fc.integer({ min: 0, max: 100 }),
  normalize: fc.boolean(),
  languageOf: fc.constantFrom(
    () => "en-us",
    () => "en-gb",
    () => "es",
    () => "ja",
    () => "zh",
    (speaker: number) => (speaker === 0 ? "en-us" : "fr-fr"),
  ),
});

/** The words of a whole text, sentence by sentence, without any plan. */
function wordsOf(whole: string, { normalize, languageOf }: ChunkOptions): SpokenWord[] {
  const words: SpokenWord[] = [];
  for (let at = 0, delivery = PLAIN_DELIVERY; at < whole.length; ) {
    const sentence = sentenceAt(whole, at, whole.length, true, delivery);
    assert.ok(sentence !== undefined && !("open" in sentence));
    for (const { word } of readSentence(whole, sentence.from, sentence.to, {
      normalize,
      language: languageOf(sentence.delivery.speaker),
    }))
      words.push(word);
    ({ to: at, delivery } = sentence);
  }
  return words;
}

const spokenLength = (chunk: SpeechChunk): number =>
  chunk.words.map((word) => (word.phonemes ?? word.text) + word.after).join(" ").length;

function assertTiles(chunks: readonly SpeechChunk[], whole: string): void {
  let at = 0;
  for (const { from, to } of chunks) {
    assert.equal(from, at);
    assert.ok(to > from);
    at = to;
  }
  assert.equal(at, whole.length);
}

describe("any text", () => {
  it("gives words from the text, in order, in letters only", () => {
    fc.assert(
      fc.property(text, (whole) => {
        let last = 0;
        for (const word of wordsOf(whole, {
          normalize: true,
          languageOf: () => "en-us",
          latency: "normal",
          chunkLength: 200,
          minChunkLength: 0,
        })) {
          assert.notEqual(word.text, "");
          assert.ok(word.from >= last && word.to > word.from && word.to <= whole.length);
          last = word.from;
          assert.match(word.after, /^[,.;:!?—…]?$/);
          assert.doesNotMatch(word.text, /\p{N}/u);
          if (word.phonemes === undefined) assert.match(word.text, /^[\p{L}\p{M}'.-]+$/u);
        }
      }),
      { numRuns: 120 },
    );
  });

  it("is covered by its chunks, which have its words and a limited length", () => {
    fc.assert(
      fc.property(text, options, (whole, chosen) => {
        const chunks = [...planChunks(whole, chosen)];
        assertTiles(chunks, whole);
        for (const chunk of chunks) {
          assert.ok(spokenLength(chunk) <= MAX_CHUNK, `${spokenLength(chunk)} characters`);
          for (const word of chunk.words) assert.ok(word.from >= chunk.from && word.to <= chunk.to, "a word is cut");
          if (chunks.length > 1 && chunk.words.length === 0)
            assert.ok(chunk.pauseAfter > 0, "a silent chunk stands alone");
        }
        assert.deepEqual(
          chunks.flatMap(({ words }) => words),
          wordsOf(whole, chosen),
        );
      }),
      { numRuns: 120 },
    );
  });

  it("has the same words however it arrives", () => {
    fc.assert(
      fc.property(text, options, anySteps, (whole, chosen, steps) => {
        const { chunks, chunker } = pushInPieces(whole, chosen, steps);
        assert.ok(chunker.done);
        assertTiles(chunks, whole);
        assert.deepEqual(
          chunks.flatMap(({ words }) => words),
          wordsOf(whole, chosen),
        );
      }),
      { numRuns: 120 },
    );
  });
});

describe("hostile texts of 10 000 characters", () => {
  const fill = (unit: string): string => unit.repeat(Math.ceil(10_000 / unit.length)).slice(0, 10_000);
  for (const unit of [
    ..."1 ( [ < $ . ' \" - / @ # % x \n \t , : & 日 é".split(" "),
    ...[
      " ",
      "a.",
      "a.a.a. ",
      "1,",
      "1.",
      "1-",
      "1/",
      "1:",
      "<|",
      "[[a",
      "[a ",
      "(a ",
      "😀",
      "👨‍👩‍👧",
      "$€",
      "a@",
      "a-",
      "a'",
      "A",
      "A.",
      "IV ",
      "[break]",
      "<|speaker:1|>",
    ],
    ...[
      "<|phoneme_start|>",
      "<|phoneme_start|>AA1<|phoneme_end|>",
      "http://a.b/",
      "www.",
      "Mr. ",
      "5 - ",
      '5" ',
      "v1.",
      "1x ",
      "mar 5 ",
      "$ 5 ",
      "1-800-A-",
      "5 p.m. ",
      "+1 ",
      "(1) ",
      "1 1/2 ",
      "&&",
      "%&",
      "\u200b",
      "\ud800",
      "[a](http://",
    ],
  ]) {
    it(`${JSON.stringify(unit)} repeated is planned`, () => {
      const whole = fill(unit);
      const chunks = [
        ...planChunks(whole, {
          latency: "balanced",
          chunkLength: 200,
          minChunkLength: 50,
          normalize: true,
          languageOf: () => "en-us",
        }),
      ];
      assertTiles(chunks, whole);
      assert.ok(chunks.every((chunk) => spokenLength(chunk) <= MAX_CHUNK));
    });
  }
});
