/** ARPAbet as the CMU dictionary writes it, to the IPA that espeak writes for American English. */
const CONSONANTS: Readonly<Record<string, string>> = {
  B: "b",
  CH: "tʃ",
  D: "d",
  DH: "ð",
  DX: "ɾ",
  F: "f",
  G: "ɡ",
  HH: "h",
  JH: "dʒ",
  K: "k",
  L: "l",
  M: "m",
  N: "n",
  NG: "ŋ",
  P: "p",
  R: "ɹ",
  S: "s",
  SH: "ʃ",
  T: "t",
  TH: "θ",
  V: "v",
  W: "w",
  WH: "w",
  Y: "j",
  Z: "z",
  ZH: "ʒ",
};

const VOWELS: Readonly<Record<string, string>> = {
  AA: "ɑː",
  AE: "æ",
  AH: "ʌ",
  AO: "ɔː",
  AW: "aʊ",
  AX: "ə",
  AXR: "ɚ",
  AY: "aɪ",
  EH: "ɛ",
  ER: "ɜː",
  EY: "eɪ",
  IH: "ɪ",
  IX: "ᵻ",
  IY: "iː",
  OW: "oʊ",
  OY: "ɔɪ",
  UH: "ʊ",
  UW: "uː",
  UX: "uː",
};

/** Vowels with another sound when they are unstressed. */
const UNSTRESSED: Readonly<Record<string, string>> = { AH: "ə", ER: "ɚ", IY: "i" };
const STRESS: Readonly<Record<string, string>> = { "1": "ˈ", "2": "ˌ" };
/** espeak writes these before r with the short vowel: "ɪɹ", "ɛɹ", "ʊɹ". */
const BEFORE_R: Readonly<Record<string, string>> = { IY: "ɪ", EY: "ɛ", UW: "ʊ" };
const SYMBOL = /^([A-Z]{1,3})([012])?$/;

/** IPA of "HH AH0 L OW1" ("həlˈoʊ"), or undefined where the text is not ARPAbet. */
export function arpabetToIpa(text: string): string | undefined {
  const symbols = text
    .trim()
    .toUpperCase()
    .split(/[\s-]+/);
  let ipa = "";
  for (const [index, symbol] of symbols.entries()) {
    const [, name = "", stress] = SYMBOL.exec(symbol) ?? [];
    const consonant = CONSONANTS[name];
    const vowel = VOWELS[name];
    if (consonant !== undefined && stress === undefined) ipa += consonant;
    else if (vowel === undefined) return undefined;
    else {
      const r = symbols[index + 1] === "R" ? BEFORE_R[name] : undefined;
      const weak = stress === "0" || stress === undefined ? UNSTRESSED[name] : undefined;
      ipa += (STRESS[stress ?? ""] ?? "") + (r ?? weak ?? vowel);
    }
  }
  return ipa === "" ? undefined : ipa;
}

/** Letters, length, stress and tie marks; a digit or a capital means another notation. */
const IPA = /^[\p{Ll}\p{Lm}\p{Lo}\p{M}ˈˌːˑ.‿ |ʼ˞↗↘]+$/u;

/** The given IPA without slashes or brackets, or undefined. */
export function asIpa(text: string): string | undefined {
  const bare = text
    .trim()
    .replace(/^[/[]/, "")
    .replace(/[/\]]$/, "")
    .replaceAll(".", "")
    .trim();
  return bare !== "" && IPA.test(bare) ? bare : undefined;
}
