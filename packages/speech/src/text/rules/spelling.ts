/** "abc" is "A.B.C": the phonemizer says letters with dots between one by one. Anything but letters is dropped. */
export function spellLetters(text: string): string {
  return [...text]
    .filter((c) => /\p{L}/u.test(c))
    .map((c) => c.toUpperCase())
    .join(".");
}

const VOWEL = /[aeiouyáàâãäéèêëíìîïóòôõöúùûü]/i;

/** Whether letters of a Romance language could be a word: a vowel, and no heap of consonants. */
export function isRomanceWord(letters: string): boolean {
  if (letters.length < 3 || !VOWEL.test(letters)) return false;
  const heaps = letters.toLowerCase().split(/[aeiouyáàâãäéèêëíìîïóòôõöúùûü]+/);
  const [onset = "", coda = ""] = [heaps[0], heaps.at(-1)];
  return (
    heaps.every((heap) => heap.length <= 3) &&
    (onset.length <= 1 || /^(?:[bcdfgpt][rl]|[bcdfgptsk]h|qu|gu|ll|rr|ps|st|sp|sc|sk|sm|sn|tw)[rl]?$/.test(onset)) &&
    (coda.length <= 1 || /^(?:[nrlsm][stdcgkpfm]|ss|tt|ll|st|ct|ch|ck|nk|rt|x|rs|ns|ts)s?$/.test(coda))
  );
}

const DOTTED = /^\p{L}(?:\.\p{L})+$/u;
/** Longer words in capitals are emphasized words, not initialisms. */
const LONGEST_INITIALISM = 5;

/** Whether a token is a row of letter names: "F.B.I", "DNI" where it is no word. */
export function isInitialism(text: string, pronounceable: (letters: string) => boolean): boolean {
  if (DOTTED.test(text)) return true;
  return /^\p{Lu}{2,}$/u.test(text) && text.length <= LONGEST_INITIALISM && !pronounceable(text);
}
