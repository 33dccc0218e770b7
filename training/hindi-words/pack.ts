/**
 * Packs a list of Hindi words, one in each line:
 *
 *     node --import tsx training/hindi-words/pack.ts WORDS packages/speech/assets/hindi/words.txt.br
 *
 * Words of other scripts, numbers, single letters and obscene words are left out: misheard speech must not become one. Of two
 * spellings with the sign of a nasal vowel, the one with the right sign is kept.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";

const [source, target] = process.argv.slice(2);
if (source === undefined || target === undefined) throw new Error("pack.ts WORDS TARGET");

const WORD = /^[ऄ-हक़-ॡॲ][ऀ-ॣॲ-ॿ]+$/u;
const OBSCENE = /^(?:कुतिया|गा[ंँ]ड|चुत|चूत|चुद|चोद|पोर्न|बुर$|रंडी|ल(?:ं|ण्)ड$|लौड़)/u;
/** The candrabindu stands where no sign of a vowel is above the letter. */
const isWrong = (word: string): boolean => /[िीेैोौॉइईएऐओऔऑ]ँ/u.test(word);
const rank = (word: string): number => (isWrong(word) ? 2 : word.includes("ँ") ? 0 : 1);

const kept = new Map<string, string>();
for (const line of readFileSync(source, "utf8").split("\n")) {
  const word = line.trim().normalize("NFC");
  if (!WORD.test(word) || OBSCENE.test(word)) continue;
  const key = word.replaceAll("ँ", "ं");
  const known = kept.get(key);
  if (known === undefined || rank(word) < rank(known)) kept.set(key, word);
}
const text = `${[...kept.values()].sort().join("\n")}\n`;
writeFileSync(target, brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } }));
console.log(`${kept.size} words`);
