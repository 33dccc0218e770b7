import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { anySteps, pushInPieces } from "../testing/push-in-pieces.ts";
import { type ChunkOptions, planChunks } from "./chunks.ts";
import type { SpeechChunk, SpokenWord } from "./types.ts";

const LANGUAGES = ["es", "pt-br", "fr-fr", "it", "hi", "de", "id", "ja", "zh"];

/** Written words that the rules know, most of them part of something longer. */
const WORDS =
  `El la y de a las los Sr. Dra. EE. UU. pág. núm. cap. IV siglo XIX Felipe II p. m. 1 000 000 10 000,5 € $ R$ US$ 5
  21 personas 1.234,56 3/4 1/2 ½ hora 12/03/2024 2021-09-05 16:45 h 14h30 7.30 min kg km/h ° C −5 °C 85 % 1.º 2ª 3er +34 91
  123 45 67 612 345 678 (11) 98765-4321 ext. 12 a@b.es www.a.com/b millones mil de enero marzo 2024 10-12 50-60% 2+2=4 x²
  3x4 FBI ONU s/ c/ etc. GMT-3 192.168.0.1 007 7777777777777777777777777 5M€ Jan. dic. lun. 1990-1995 às 15h da tarde
  M. MM. Me Dupont l'art. av. J.-C. 14 h 30 17/18/19 mars 80s 1er XIVe siècle Ier dott. sig.ra 3° 1 ora डॉ. ₹500 रु. Rs. लाख
  297-272 ई. पू. रोड 221 स्ट्रीट दिल्ली 110001 कॉल करो 1374 309988 +91 98765 7:30 बजे AM 16वीं कि. मी. 75/90 am 3. Mai 19.
  Jahrhundert 24.12. Mio. z. B. Uhr Rp 15.000 juta ke-17 pukul 14.30`.split(/\s+/);

const pieces = (joints: readonly string[], least: number): fc.Arbitrary<string> =>
  fc
    .array(fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(...joints)), { minLength: least, maxLength: least + 60 })
    .map((parts) => parts.flat().join(""));

const text = fc.oneof(
  pieces([" ", " ", " ", "", ". ", "-"], 0),
  // Sentences that go on and on: here live text is spoken before its end is known.
  pieces([" ", " ", " ", ", "], 40),
  pieces([" ", " ", ", ", "; ", " ("], 40),
);

const optionsFor = (language: string): ChunkOptions => ({
  latency: "balanced",
  chunkLength: 200,
  minChunkLength: 50,
  normalize: true,
  languageOf: () => language,
});

const wordsOf = (chunks: Iterable<SpeechChunk>): SpokenWord[] => [...chunks].flatMap(({ words }) => words);

function assertWords(words: readonly SpokenWord[], whole: string): void {
  let last = 0;
  for (const word of words) {
    assert.ok(word.from >= last && word.to > word.from && word.to <= whole.length);
    last = word.from;
    assert.match(word.text, /^[\p{L}\p{M}'.-]+$/u);
  }
}

/** Digits with any signs around and between them. */
const numberLike = fc
  .tuple(fc.string({ unit: fc.constantFrom(...".,:-/+=<>×x%°₹$#&*^'½²~≥ab05"), maxLength: 5 }), fc.nat(9))
  .chain(([signs, digit]) => fc.nat(signs.length).map((at) => signs.slice(0, at) + digit + signs.slice(at)));

describe("names of properties that every object has", () => {
  for (const language of ["en-us", ...LANGUAGES]) {
    it(`are read as words in ${language}`, () => {
      for (const name of ["constructor", "toString", "valueOf", "hasOwnProperty", "__proto__"])
        for (const written of [name, `5 ${name}`, `${name} 5`, `$5 ${name}`, `5${name}`, `1/2 ${name}`, `5/${name}`]) {
          const spoken = wordsOf(planChunks(written, optionsFor(language)));
          const text = spoken.map((word) => word.text).join(" ");
          assert.doesNotMatch(text, /undefined|native code/, written);
        }
    });
  }
});

for (const language of LANGUAGES) {
  describe(`any text in ${language}`, () => {
    it("has no number that is silent", () => {
      fc.assert(
        fc.property(numberLike, (written) => {
          assert.notEqual(wordsOf(planChunks(written, optionsFor(language))).length, 0, written);
        }),
      );
    });

    it("is read in letters only, each word from its place, however it arrives", () => {
      fc.assert(
        fc.property(text, anySteps, (whole, steps) => {
          const expected = wordsOf(planChunks(whole, optionsFor(language)));
          assertWords(expected, whole);
          const { chunks } = pushInPieces(whole, optionsFor(language), steps);
          assert.deepEqual(wordsOf(chunks), expected);
        }),
        { numRuns: 12 },
      );
    });

    const fill = (unit: string): string => unit.repeat(Math.ceil(1_500 / unit.length));
    for (const unit of [
      ..."1 1. 1, 1- 1/ 1: 1+ 1= 1x 1h 1º ½ $ $1 1€ a@ www. 1.000. 12:30- -1/2 99999-".split(" "),
      ...["1 ", "123 ", "$1 ", "5 km ", "1 1/2 ", "(1) ", "+1 ", "1 de ", "enero 1 ", "a. ", "Sr. ", "XIV y "],
      ...['5" ', "v1.", "5 - ", "1x ", "35° ", "5 k€ ", "1 €/", "ley 1/2000 "],
    ]) {
      it(`${JSON.stringify(unit)} repeated is read`, () => {
        const whole = fill(unit);
        assertWords(wordsOf(planChunks(whole, optionsFor(language))), whole);
      });
    }
  });
}
