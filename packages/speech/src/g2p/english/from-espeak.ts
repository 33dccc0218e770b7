type Replacements = readonly (readonly [espeak: string, symbol: string])[];

/** Sounds of several letters, which come first. */
const diphthongs: Replacements = [
  ["aɪ", "I"],
  ["aʊ", "W"],
  ["eɪ", "A"],
  ["ɔɪ", "Y"],
  ["dʒ", "ʤ"],
  ["tʃ", "ʧ"],
];

const singles: Replacements = [
  ["ʲ", ""],
  ["ɚ", "əɹ"],
  ["r", "ɹ"],
  ["x", "k"],
  ["ç", "k"],
  ["ɐ", "ə"],
  ["ɬ", "l"],
  ["ʔ", "t"],
  ["\u0303", ""],
];

const american: Replacements = [
  ...diphthongs,
  ["oʊ", "O"],
  ["əʊ", "O"],
  ["ɜːɹ", "ɜɹ"],
  ["ɜː", "ɜɹ"],
  ["ɪə", "iə"],
  ...singles,
  ["ɾ", "T"],
  ["ː", ""],
  ["o", "ɔ"],
  ["e", "A"],
  ["ɒ", "ɑ"],
  ["ɹɹ", "ɹ"],
];

const british: Replacements = [
  ...diphthongs,
  ["əʊ", "Q"],
  ["oʊ", "Q"],
  ["eə", "ɛː"],
  ["iə", "ɪə"],
  ...singles,
  ["ɾ", "t"],
  ["æ", "a"],
  ["e", "ɛ"],
  ["ᵻ", "ɪ"],
];

/** The symbols of a word that espeak has pronounced. */
export function fromEspeak(phonemes: readonly string[], isBritish: boolean): string {
  // Only where it is one phoneme: the l of "hello" starts a syllable.
  let symbols = phonemes.map((phoneme) => (phoneme === "əl" ? "ᵊl" : phoneme)).join("");
  for (const [espeak, symbol] of isBritish ? british : american) symbols = symbols.replaceAll(espeak, symbol);
  // A syllabic consonant has a short vowel before it.
  return symbols.replace(/(\S)\u0329/gu, "ᵊ$1").replaceAll("\u0329", "");
}
