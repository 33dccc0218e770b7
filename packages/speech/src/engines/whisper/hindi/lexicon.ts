import { readFile } from "node:fs/promises";
import { brotliDecompressSync } from "node:zlib";
import { CLOSED_CLASSES } from "./closed-classes.ts";
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
  readonly words: ReadonlyMap<number, LexiconWord>;
}

export interface LexiconWord {
  readonly text: string;
  /** Lower for words that are more frequent. */
  readonly cost: number;
}

/** The costs of sounds that are misheard are from 0 to 3. */
const COST_OF_CLOSED = 0.3;
const COST_OF_LISTED = 1;
/** Most words of one letter, and of one with a vowel, are names of letters. */
const COST_OF_SHORT = 1;

const file = new URL("../../../../assets/hindi/words.txt.br", import.meta.url);

export async function loadLexicon(): Promise<Lexicon> {
  return createLexicon(
    brotliDecompressSync(await readFile(file))
      .toString()
      .trim()
      .split("\n"),
  );
}

export function createLexicon(listed: readonly string[]): Lexicon {
  const [child, sibling, sound] = [[0], [0], [0]];
  const words = new Map<number, LexiconWord>();
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
  const add = (text: string, cost: number) => {
    const node = devanagariSounds(text).reduce(next, 0);
    if (node > 0 && !words.has(node)) words.set(node, { text, cost });
  };
  for (const word of CLOSED_CLASSES) add(word, COST_OF_CLOSED);
  for (const word of listed) add(word, COST_OF_LISTED + (/^.\p{M}?$/u.test(word) ? COST_OF_SHORT : 0));
  return { child, sibling, sound, sounds: [...numbers.keys()], words };
}
