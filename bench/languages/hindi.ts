/**
 * A text with one spelling of what is pronounced alike, as two transcripts are compared: nasal vowels and consonants, the dot below foreign sounds, "ṛi", the glide between vowels, and two
 * pronouns as they are pronounced. The two letters that are written with a dot are one character each, as they are in Unicode
 * before it is normalized; otherwise they would count twice when they are misheard. Other scripts stay as they are.
 */
export const foldHindi = (text: string): string =>
  inDevanagari(text)
    .normalize("NFD")
    .replace(/(?<=[कखगजफ])़/gu, "")
    .replaceAll("ड़", "ॻ")
    .replaceAll("ढ़", "ॼ")
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
