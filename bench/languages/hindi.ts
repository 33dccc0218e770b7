/**
 * Hindi and Urdu are one spoken language in two scripts. Whisper base writes Hindi in Arabic letters, whatever language it is told.
 * Arabic letters write no short vowels, one letter for "ī, e, ai, y" and one for "ū, o, au, v", and several for one sound; both
 * scripts are reduced to that.
 */
const DEVANAGARI: Readonly<Record<string, string>> = {
  ...letters("कk गg ङn चc जj ञn टT डD णn तt दd नn पp बb मm यy रr लl वw शS षS सs हh"),
  ...letters("खkh घgh छch झjh ठTh ढDh थth धdh फph भbh"),
  ...letters("ाa ीy ेy ैy ूw ोw ौw ृr ंn ँn ःh आa"),
};
/** Vowels that begin a word are written on an alef, others are not. */
const INITIAL = letters("अa इa उa ईay एay ऐay ऊaw ओaw औaw ऋr");
const LATER = letters("ईy एy ऐy ऊw ओw औw ऋr");

const ARABIC = letters(
  "اa آa بb پp تt طt ٹT ثs سs صs جj ذj زj ضj ظj چc حh ہh ھh هh ةh خkh دd ڈD رr ڑR شS غg فph قk کk كk گg لl مm نn ںn وw یy يy ىy ےy",
);

/** Pairs of one letter and what it is written as. */
function letters(pairs: string): Record<string, string> {
  return Object.fromEntries(pairs.split(" ").map((pair) => [pair.charAt(0), pair.slice(1)]));
}

export const isArabic = (text: string): boolean => /\p{Script=Arabic}/u.test(text);

/** The letters of a text that both scripts write. */
export function sharedLetters(text: string): string {
  return text
    .normalize("NFD")
    .split(/[^\p{L}\p{M}]+/u)
    .map((word) => (isArabic(word) ? fromArabic(word) : fromDevanagari(word)).replace(/(\p{L})\1+/gu, "$1"))
    .join("");
}

// "that" is written with a silent h.
const fromArabic = (word: string): string => (word === "کہ" ? "k" : each(word, ARABIC));

function fromDevanagari(word: string): string {
  // With a dot below, two letters are sounds of their own; most writers do not distinguish the others.
  const written = word.replaceAll("ड़", "ڑ").replaceAll("ढ़", "ڑھ");
  return each(written.slice(0, 1), INITIAL, DEVANAGARI, ARABIC) + each(written.slice(1), LATER, DEVANAGARI, ARABIC);
}

function each(text: string, ...tables: readonly Readonly<Record<string, string>>[]): string {
  return [...text].map((letter) => tables.find((table) => letter in table)?.[letter] ?? latin(letter)).join("");
}

const latin = (letter: string): string => (/[a-z]/i.test(letter) ? letter.toLowerCase() : "");

/** Romanized Hindi has no spelling of its own: its consonants are compared, without distinctions that Latin letters do not make. */
const consonants = (text: string): string =>
  text
    .replace(/[aeiouvwy]/g, "")
    .toLowerCase()
    .replaceAll("ch", "c")
    .replaceAll("sh", "s")
    .replaceAll("z", "j")
    .replaceAll("f", "ph");

/** Two transcripts in the form in which they are compared. */
export function comparableHindi(expected: string, recognized: string): [expected: string, recognized: string] {
  if (!/[\p{Script=Arabic}\p{Script=Latin}]/u.test(recognized))
    return [foldSpelling(expected), foldSpelling(recognized)];
  const [left, right] = [sharedLetters(expected), sharedLetters(recognized)];
  return /\p{Script=Latin}/u.test(recognized) ? [consonants(left), consonants(right)] : [left, right];
}

/**
 * Spellings of the same sounds: nasal vowels and consonants, the dot below foreign sounds, "ṛi", the glide between vowels, and two
 * pronouns as they are pronounced. The two letters that are written with a dot are one character each, as they are in Unicode
 * before it is normalized; otherwise they would count twice when they are misheard.
 */
const foldSpelling = (text: string): string =>
  inDevanagari(text)
    .normalize("NFD")
    .replace(/(?<=[कखगजफ])़/gu, "")
    .replaceAll("ड़", "ڑ")
    .replaceAll("ढ़", "ڙ")
    .replaceAll("ँ", "ं")
    .replace(/[ङञणनम]्(?=[क-म])/gu, "ं")
    .replaceAll("ृ", "्रि")
    .replace(/यी/gu, "ई")
    .replace(/(?<=[\p{L}\p{M}])ये(?![\p{L}\p{M}])/gu, "ए")
    .replace(/(?<![\p{L}\p{M}])ये(?![\p{L}\p{M}])/gu, "यह")
    .replace(/(?<![\p{L}\p{M}])वो(?![\p{L}\p{M}])/gu, "वह");

/** Whisper mixes in letters of other scripts of India. Their blocks in Unicode have the letters in the same order, 128 apart. */
const inDevanagari = (text: string): string =>
  text.replace(/[\u0980-\u0D7F]/gu, (letter) => String.fromCodePoint(0x0900 + ((letter.codePointAt(0) ?? 0) % 0x80)));
