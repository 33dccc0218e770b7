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

const english: Readonly<Record<string, string>> = {
  ...everywhere,
  əl: "ᵊl",
  ɐ: "ə",
  r: "ɹ",
  x: "k",
  ç: "k",
  ɬ: "l",
  ʔ: "t",
};

const american: Readonly<Record<string, string>> = {
  ...english,
  ɚ: "əɹ",
  ɜː: "ɜɹ",
  ɪə: "iə",
  ɾ: "T",
  o: "ɔ",
  e: "A",
};

const british: Readonly<Record<string, string>> = { ...english, eə: "ɛː", iə: "ɪə", a: "æ" };

const spellings: Readonly<Record<string, Readonly<Record<string, string>>>> = { "en-us": american, "en-gb": british };

export function kokoroAlphabet(vocabulary: ReadonlyMap<string, number>, language: string): Alphabet {
  const spelling = spellings[language] ?? everywhere;
  const short = language === "en-us";
  return {
    id: (symbol) => vocabulary.get(symbol),
    punctuation: (mark) => mark,
    spell: (phonemes) =>
      phonemes
        .map((phoneme) => spellPhoneme(phoneme, spelling, short))
        .join("")
        .replace("ɹɹ", "ɹ"),
  };
}

function spellPhoneme(phoneme: string, spelling: Readonly<Record<string, string>>, short: boolean): string {
  const stress = phoneme.match(/^[ˈˌ]*/)?.[0] ?? "";
  const sound = phoneme.slice(stress.length);
  const spelled = spelling[sound] ?? spelling[sound.replace("ː", "")] ?? sound;
  // Kokoro's symbols for American English have no vowel length.
  return stress + (short ? spelled.replace("ː", "") : spelled);
}
