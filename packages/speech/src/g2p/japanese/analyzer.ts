import lindera from "lindera-wasm-nodejs-ipadic";

/** A word or an ending of the dictionary. */
export interface Morpheme {
  readonly text: string;
  /** In katakana, as it is spoken; undefined for words that the dictionary does not have. */
  readonly spoken: string | undefined;
  /** The part of speech and its subdivision, as IPADIC names them. */
  readonly part: string;
  readonly detail: string;
}

interface LinderaToken {
  readonly surface: string;
  readonly pronunciation?: string;
  readonly partOfSpeech: string;
  readonly partOfSpeechSubcategory1?: string;
}

/** Words that came into use after the dictionary was made. */
const NEW_WORDS: ReadonlyMap<string, string> = new Map([["令和", "レイワ"]]);

const builder = new lindera.TokenizerBuilder();
builder.setDictionary("embedded://ipadic");
builder.setMode("normal");
const tokenizer = builder.build();

/** Splits a text into words and endings. Nothing of it is left out. */
export function analyze(text: string): Morpheme[] {
  const tokens: readonly LinderaToken[] = tokenizer.tokenize(text);
  const morphemes: Morpheme[] = [];
  for (const token of tokens) {
    const last = morphemes.at(-1);
    const merged = last && NEW_WORDS.get(last.text + token.surface);
    if (last !== undefined && merged !== undefined) {
      morphemes[morphemes.length - 1] = { ...last, text: last.text + token.surface, spoken: merged };
      continue;
    }
    morphemes.push({
      text: token.surface,
      spoken: token.pronunciation,
      part: token.partOfSpeech,
      detail: token.partOfSpeechSubcategory1 ?? "",
    });
  }
  return morphemes;
}
