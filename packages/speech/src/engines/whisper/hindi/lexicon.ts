import { readFile } from "node:fs/promises";
import { brotliDecompressSync } from "node:zlib";
import { CLOSED_CLASSES } from "./closed-classes.ts";
import { createLanguageModel, type LanguageModel, wordsIn } from "./language-model.ts";
import { pluralForms } from "./plural-forms.ts";
import { devanagariSounds } from "./sounds.ts";
import { verbForms } from "./verb-forms.ts";

/** Words by their sounds: a tree whose nodes are numbers, and whose root is 0. */
export interface Lexicon {
  /** The first child of a node, and the next child of the same parent; 0 for none. */
  readonly child: readonly number[];
  readonly sibling: readonly number[];
  /** The last sound of a node, as an index into `sounds`. */
  readonly sound: readonly number[];
  readonly sounds: readonly string[];
  /** The words that end at a node. */
  readonly words: ReadonlyMap<number, string>;
  readonly model: LanguageModel;
}

const folder = new URL("../../../../assets/hindi/", import.meta.url);

/** How often words count that are not listed. Many plurals are no words, since any word is taken for a noun. */
const COUNTS = { verb: 0.1, name: 0.05, plural: 0.05 };

export async function loadLexicon(): Promise<Lexicon> {
  const listed = linesOf(brotliDecompressSync(await readFile(new URL("words.txt.br", folder))).toString());
  const read = async (name: string) => linesOf(await readFile(new URL(name, folder), "utf8"));
  const verbs = (await read("verbs.txt")).flatMap(verbForms);
  const noNouns = new Set([...verbs, ...CLOSED_CLASSES]);
  const plurals = listed.filter((word) => !noNouns.has(word)).flatMap(pluralForms);
  const names = [...(await read("names.txt")), ...(await read("places.txt"))];
  const others = new Map<string, number>();
  const add = (words: readonly string[], count: number): void => {
    for (const word of words) if (!others.has(word)) others.set(word, count);
  };
  add(verbs, COUNTS.verb);
  add(names, COUNTS.name);
  add(plurals, COUNTS.plural);
  return createLexicon(listed, others, await read("sentences.txt"));
}

/** The word with these sounds. */
export function wordWith(
  { child, sibling, sound, sounds, words }: Lexicon,
  own: readonly string[],
): string | undefined {
  let node = 0;
  for (const each of own) {
    node = child[node] ?? 0;
    while (node > 0 && sounds[sound[node] ?? 0] !== each) node = sibling[node] ?? 0;
    if (node === 0) return undefined;
  }
  return words.get(node);
}

const linesOf = (text: string): string[] => text.trim().split("\n");

/** Of words with the same sounds, that of a closed class is taken, or one of the sentences, or the first one. */
function createLexicon(
  listed: readonly string[],
  others: ReadonlyMap<string, number>,
  sentences: readonly string[],
): Lexicon {
  const [child, sibling, sound] = [[0], [0], [0]];
  const words = new Map<number, string>();
  const numbers = new Map<string, number>();
  const next = (node: number, name: string): number => {
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    for (let at = child[node] ?? 0; at > 0; at = sibling[at] ?? 0) if (sound[at] === number) return at;
    const created = sound.push(number) - 1;
    child.push(0);
    sibling.push(child[node] ?? 0);
    child[node] = created;
    return created;
  };
  for (const word of [...CLOSED_CLASSES, ...sentences.flatMap(wordsIn), ...listed, ...others.keys()]) {
    const node = devanagariSounds(word).reduce(next, 0);
    if (node > 0 && !words.has(node)) words.set(node, word);
  }
  const model = createLanguageModel(sentences, listed, others);
  return { child, sibling, sound, sounds: [...numbers.keys()], words, model };
}
