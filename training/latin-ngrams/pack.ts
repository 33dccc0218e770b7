/**
 * Packs the n-grams of a few languages for `packages/speech/assets/latin-ngrams/`.
 *
 *   node --conditions=source --import tsx training/latin-ngrams/pack.ts OUT.bin.br
 *
 * They are those of ELD (npmjs.com/package/eld, Apache-2.0), its set "extrasmall" of 60 languages.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { NGRAM_LANGUAGES } from "../../packages/speech/src/text/detection/latin-scores.ts";
import { ngramKey, packNgrams } from "../../packages/speech/src/text/detection/ngram-table.ts";

interface NgramsModule {
  readonly ngramsData: {
    readonly languages: Readonly<Record<string, string>>;
    readonly ngrams: Readonly<Record<string, Readonly<Record<string, number>>>>;
  };
}

const [out = ""] = process.argv.slice(2);
// The package exports the detector only.
const sources = pathToFileURL(join(process.cwd(), "node_modules/eld/src/"));
const { ngramsData }: NgramsModule = await import(new URL("ngrams/extrasmall.js", sources).href);
const { dictionary }: { dictionary: readonly string[] } = await import(new URL("dictionary.js", sources).href);

const byteOf = new Map([...dictionary.entries()].map(([byte, character]) => [character, byte]));
const codes = new Map(Object.entries(ngramsData.languages).map(([code, language]) => [language, code]));
/** Malay stands for Indonesian, which the detector does not know. */
const columns = NGRAM_LANGUAGES.map((language) => codes.get(language === "id" ? "ms" : language) ?? "");

const rows = Object.entries(ngramsData.ngrams)
  .map(([ngram, scores]) => ({ key: keyOf(ngram), scores: columns.map((column) => scores[column] ?? 0) }))
  .filter(({ scores }) => scores.some((score) => score > 0))
  .sort((a, b) => a.key - b.key);
const packed = packNgrams({
  keys: Float64Array.from(rows, ({ key }) => key),
  scores: Uint8Array.from(rows.flatMap(({ scores }) => scores)),
});
const compressed = brotliCompressSync(packed, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
await writeFile(out, compressed);
process.stdout.write(`${rows.length} n-grams, ${packed.length} bytes, ${compressed.length} compressed\n`);

/** A space stands for the start or the end of a word. Bytes that are no character of ASCII have one of their own. */
function keyOf(ngram: string): number {
  const bytes = [...ngram.trim()].map((character) => {
    const byte = byteOf.get(character);
    if (byte === undefined) throw new Error(`"${character}" stands for no byte`);
    return byte;
  });
  return ngramKey(Uint8Array.from(bytes), ngram.startsWith(" "), ngram.endsWith(" "));
}
