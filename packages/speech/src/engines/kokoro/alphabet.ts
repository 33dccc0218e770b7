import { fromEspeak } from "../../g2p/english/from-espeak.ts";
import type { FrontEnd, Pronouncer } from "../../g2p/pronounce.ts";
import type { Alphabet } from "../tokens.ts";

/** Kokoro's own phoneme symbols, with one letter per diphthong and affricate, by espeak's phoneme. */
const everywhere: Readonly<Record<string, string>> = {
  aɪ: "I",
  aʊ: "W",
  eɪ: "A",
  oʊ: "O",
  əʊ: "Q",
  ɔɪ: "Y",
  dʒ: "ʤ",
  tʃ: "ʧ",
  ts: "ʦ",
  dz: "ʣ",
};

/** Sounds that Kokoro does not know, or knows under another symbol, of languages that it has not learned. */
const byLanguage: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  de: { ɔø: "Y", ʏ: "y", ɜ: "ɐ", r: "ʁ", ɾ: "ʁ", ɑː: "aː" },
};

/** espeak's phonemes of a word in Kokoro's symbols. */
export function kokoroSymbols(phonemes: readonly string[], language: string): string {
  if (language.startsWith("en")) return fromEspeak(phonemes, language !== "en-us");
  const own = byLanguage[language] ?? {};
  return phonemes.map((phoneme) => spellPhoneme(phoneme, own)).join("");
}

/** A pronouncer with espeak's phonemes in Kokoro's symbols. */
export const inKokoroSymbols =
  (pronouncer: Pronouncer): FrontEnd =>
  (words, language) =>
    pronouncer(words, language).map((word) => ({ ...word, phonemes: [kokoroSymbols(word.phonemes, language)] }));

/** For words in Kokoro's symbols. */
export function kokoroAlphabet(vocabulary: ReadonlyMap<string, number>): Alphabet {
  return {
    id: (symbol) => vocabulary.get(symbol),
    punctuation: (mark) => mark,
    spell: (phonemes) => phonemes.join(""),
  };
}

function spellPhoneme(phoneme: string, own: Readonly<Record<string, string>>): string {
  const stress = phoneme.match(/^[ˈˌ]*/)?.[0] ?? "";
  const sound = phoneme.slice(stress.length);
  const [, short = "", length = ""] = /^(.*?)(ː?)$/u.exec(sound) ?? [];
  const known = everywhere[short];
  return stress + (own[sound] ?? everywhere[sound] ?? (known === undefined ? sound : known + length));
}
