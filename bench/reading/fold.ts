/**
 * What two readings may differ in and still count as the same:
 *
 * - case, punctuation, hyphens and the space around them; in Japanese and Chinese all space;
 * - letters: "F.B.I", "f b i" and "FBI" are the same, because case files write initialisms and addresses in all three ways;
 * - the conventions of a language below: words that mean the same, and words that may be left out.
 */
interface Conventions {
  /** Words and phrases that may be left out. */
  readonly optional?: readonly string[];
  /** Other words for the same thing, each with the one it is compared as. */
  readonly same?: readonly (readonly [said: string, as: string])[];
}

const ITALIAN_TENS = ["venti", "trenta", "quaranta", "cinquanta", "sessanta", "settanta", "ottanta", "novanta"];

const CONVENTIONS: Readonly<Record<string, Conventions>> = {
  en: {
    // "one hundred and five" and "three dollars and fifty cents" are as good without it.
    // How addresses of the web start need not be said.
    optional: ["and", "https colon slash slash", "http colon slash slash", "www dot"],
    // Respellings that tell the phonemizer how a letter or a name sounds.
    same: [
      ["eigh", "a"],
      ["eye", "i"],
      ["gee mail", "gmail"],
    ],
  },
  it: {
    // "tre e trentotto minuti" is as good without it.
    optional: ["minuti"],
    // The accent of "ventitré" is often left out.
    same: [
      ...ITALIAN_TENS.map((tens) => [`${tens}tré`, `${tens}tre`] as const),
      // The phonemizer reads "byte" right only as a word of its own.
      ...["kilo", "mega", "giga", "tera", "peta"].map((prefix) => [`${prefix} byte`, `${prefix}byte`] as const),
    ],
  },
  hi: {
    same: [
      // Two spellings of the same word.
      ["छः", "छह"],
      ["रुपये", "रुपए"],
      // The singular, which case files do not use.
      ["रुपया", "रुपए"],
    ],
  },
};

const UNSPACED = new Set(["ja", "zh"]);

/** The words of a reading in the form in which readings are compared. */
export function fold(text: string, tag: string): string {
  const language = tag.slice(0, 2);
  let words = text
    .normalize("NFC")
    .toLowerCase()
    .replaceAll("’", "'")
    .replace(/(?<![\p{L}\p{M}])\p{L}(?:\.\p{L})+(?![\p{L}\p{M}])/gu, (letters) => letters.replaceAll(".", ""))
    .replace(/[^\p{L}\p{M}\p{N}']+/gu, " ")
    .replace(/(?<![\p{L}\p{M}])'+|'+(?![\p{L}\p{M}])/gu, " ")
    .trim()
    .replace(/\s+/g, " ");
  if (UNSPACED.has(language)) return words.replaceAll(" ", "");
  const { optional = [], same = [] } = CONVENTIONS[language] ?? {};
  words = joinLetters(replaceWords(words, same).split(" ")).join(" ");
  return replaceWords(
    words,
    optional.map((phrase): [string, string] => [phrase, ""]),
  );
}

/** Also neighbours, which share the space between them. */
function replaceWords(text: string, pairs: readonly (readonly [said: string, as: string])[]): string {
  let words = ` ${text.replaceAll(" ", "  ")} `;
  for (const [said, as] of pairs)
    words = words.replaceAll(` ${said.replaceAll(" ", "  ")} `, as === "" ? "" : ` ${as} `);
  return words.trim().replace(/\s+/g, " ");
}

/** Runs of single letters as one word. */
function joinLetters(words: readonly string[]): string[] {
  const joined: string[] = [];
  let run = false;
  for (const word of words) {
    const letter = /^\p{L}\p{M}*$/u.test(word);
    if (letter && run) joined[joined.length - 1] += word;
    else joined.push(word);
    run = letter;
  }
  return joined;
}
