import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { BLOCK_WORDS, type LexiconTag, SYMBOLS, TAGS } from "./lexicon-format.ts";

/** The pronunciation of a word in Kokoro's symbols, and those of certain parts of speech. */
export interface LexiconEntry {
  readonly phonemes: string;
  readonly byTag: ReadonlyMap<LexiconTag, string>;
}

export interface Lexicon {
  /** Takes microseconds. Capitals count: names are entries of their own. */
  get(word: string): LexiconEntry | undefined;
}

const decompress = promisify(brotliDecompress);

/** Reads a packed lexicon (`lexicon-format.ts`): a few megabytes, searched as they are. */
export async function loadLexicon(file: URL): Promise<Lexicon> {
  return openLexicon(await decompress(await readFile(file)));
}

function openLexicon(packed: Buffer): Lexicon {
  const blocks = packed.readUInt32LE(0);
  const records = packed.subarray(4 + 4 * blocks);
  const startOf = (block: number): number => (block < blocks ? packed.readUInt32LE(4 + 4 * block) : records.length);

  /** The last block whose first word is not after `word`. */
  function blockOf(word: Buffer): number {
    let low = 0;
    let high = blocks - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      const start = startOf(middle);
      const head = records.subarray(start + 2, start + 2 + (records[start + 1] ?? 0));
      if (Buffer.compare(head, word) <= 0) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  return {
    get(text) {
      if (blocks === 0 || !/^['.A-Za-z-]{1,60}$/.test(text)) return undefined;
      const word = Buffer.from(text, "latin1");
      let at = startOf(blockOf(word));
      let matched = 0;
      for (let record = 0; record < BLOCK_WORDS && at < records.length; record++) {
        const shared = records[at] ?? 0;
        const own = records[at + 1] ?? 0;
        const value = at + 2 + own + 1;
        const length = records[value - 1] ?? 0;
        // A word that shares fewer letters than were found so far stands after the one that is looked for.
        if (shared < matched) return undefined;
        if (shared === matched) {
          matched += sharedBytes(word.subarray(matched), records.subarray(at + 2, at + 2 + own));
          if (matched === word.length && shared + own === word.length)
            return entry(records.subarray(value, value + length));
        }
        at = value + length;
      }
      return undefined;
    },
  };
}

function sharedBytes(a: Uint8Array, b: Uint8Array): number {
  let count = 0;
  while (count < a.length && count < b.length && a[count] === b[count]) count++;
  return count;
}

function entry(value: Uint8Array): LexiconEntry {
  const byTag = new Map<LexiconTag, string>();
  const end = value.indexOf(0);
  for (let at = end; at >= 0; ) {
    const next = value.indexOf(0, at + 1);
    const tag = TAGS[(value[at + 1] ?? 0) - 1];
    if (tag) byTag.set(tag, spelled(value.subarray(at + 2, next < 0 ? undefined : next)));
    at = next;
  }
  return { phonemes: spelled(end < 0 ? value : value.subarray(0, end)), byTag };
}

const spelled = (bytes: Uint8Array): string => Array.from(bytes, (byte) => SYMBOLS[byte - 1] ?? "").join("");
