/**
 * Packs the pronunciations of English words for `packages/speech/assets/english/`.
 *
 *   node --conditions=source --import tsx training/english-lexicon/pack.ts GOLD.json SILVER.json OUT.bin.br
 *
 * The lists are those of misaki (github.com/hexgrad/misaki, Apache-2.0), `us_gold.json` and so on, plain or compressed with
 * gzip. A word of the first list, which was checked by hand, replaces one of the second.
 */
import { readFile, writeFile } from "node:fs/promises";
import { brotliCompressSync, constants, gunzipSync } from "node:zlib";
import { BLOCK_WORDS, type LexiconTag, SYMBOLS, TAGS } from "../../packages/speech/src/g2p/english/lexicon-format.ts";

type Value = string | Readonly<Record<string, string | null>>;

const tagNames = new Map<string, LexiconTag>([...TAGS.map((tag) => [tag, tag] as const), ["None", "end"]]);
const symbolBytes = new Map(SYMBOLS.map((symbol, index) => [symbol, index + 1]));

async function readList(file: string): Promise<Map<string, Value>> {
  const bytes = await readFile(file);
  const parsed: Record<string, Value> = JSON.parse((bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString());
  return new Map(Object.entries(parsed));
}

function phonemeBytes(phonemes: string): number[] {
  // The lists are for a later version of Kokoro: this one has another symbol for the flap, and no glottal stop.
  return [...phonemes.replaceAll("ɾ", "T").replaceAll("ʔ", "t")].map((symbol) => {
    const byte = symbolBytes.get(symbol);
    if (byte === undefined) throw new Error(`"${symbol}" is not one of the known symbols`);
    return byte;
  });
}

function valueBytes(value: Value): number[] {
  if (typeof value === "string") return phonemeBytes(value);
  const { DEFAULT: usual, ...others } = value;
  const bytes = phonemeBytes(usual ?? "");
  for (const [name, phonemes] of Object.entries(others)) {
    const tag = tagNames.get(name);
    if (tag === undefined) throw new Error(`"${name}" is not one of the known parts of speech`);
    // Without phonemes the word is spelled, which the rules for initialisms decide.
    if (phonemes && phonemes !== usual) bytes.push(0, TAGS.indexOf(tag) + 1, ...phonemeBytes(phonemes));
  }
  return bytes;
}

const [gold = "", silver = "", out = ""] = process.argv.slice(2);
const words = [...new Map([...(await readList(silver)), ...(await readList(gold))])]
  .map(([word, value]) => ({ word: Buffer.from(word, "latin1"), value: valueBytes(value) }))
  .sort((a, b) => Buffer.compare(a.word, b.word));

const starts: number[] = [];
const records: number[] = [];
let before = Buffer.alloc(0);
for (const [index, { word, value }] of words.entries()) {
  let shared = 0;
  if (index % BLOCK_WORDS === 0) starts.push(records.length);
  else while (shared < before.length && before[shared] === word[shared]) shared++;
  for (const byte of [shared, word.length - shared, ...word.subarray(shared), value.length, ...value])
    records.push(byte);
  before = word;
}
const head = Buffer.alloc(4 + 4 * starts.length);
head.writeUInt32LE(starts.length, 0);
for (const [index, start] of starts.entries()) head.writeUInt32LE(start, 4 + 4 * index);
const packed = Buffer.concat([head, Buffer.from(records)]);
const compressed = brotliCompressSync(packed, {
  params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 22 },
});
await writeFile(out, compressed);
process.stdout.write(`${words.length} words, ${packed.length} bytes, ${compressed.length} compressed\n`);
