import { readFile } from "node:fs/promises";
import { brotliDecompressSync } from "node:zlib";
import { CLOSED_CLASSES } from "./closed-classes.ts";
import { createLanguageModel, type LanguageModel, wordsIn } from "./language-model.ts";
import { devanagariSounds } from "./sounds.ts";

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

export async function loadLexicon(): Promise<Lexicon> {
  const words = brotliDecompressSync(await readFile(new URL("words.txt.br", folder))).toString();
  const sentences = await readFile(new URL("sentences.txt", folder), "utf8");
  return createLexicon(words.trim().split("\n"), sentences.trim().split("\n"));
}

/** Of words with the same sounds, that of a closed class is taken, or one of the sentences. */
function createLexicon(listed: readonly string[], sentences: readonly string[]): Lexicon {
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
  for (const word of [...CLOSED_CLASSES, ...sentences.flatMap(wordsIn), ...listed]) {
    const node = devanagariSounds(word).reduce(next, 0);
    if (node > 0 && !words.has(node)) words.set(node, word);
  }
  const model = createLanguageModel(sentences, listed);
  return { child, sibling, sound, sounds: [...numbers.keys()], words, model };
}
