import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { EngineVoice } from "../engine.ts";
import { weightedMean } from "../weighted-mean.ts";
import { languageOffset } from "./language-offsets.ts";
import { type NativeVoice, nativeVoice } from "./native-voices.ts";
import { STYLE_SIZE, TIMBRE_SIZE } from "./style-size.ts";

const MAX_CACHED_TABLES = 64;

/** The style of a voice for a text of a number of tokens in a language. A voice is a table with a row for each length. */
export type Styles = (voice: EngineVoice, tokens: number, language?: string) => Promise<Float32Array>;

/** For the voices in a folder (`NAME.bin`), and for those given as numbers. */
export function createStyles(folder: string): Styles {
  const tables = new Map<string, Float32Array>();

  async function tableOf({ embedding }: EngineVoice): Promise<Float32Array> {
    if (embedding instanceof Float32Array) return embedding;
    if (typeof embedding === "string") return namedTable(embedding);
    return weightedMean(
      await Promise.all(embedding.map(async ({ name, weight }) => ({ numbers: await namedTable(name), weight }))),
    );
  }

  async function namedTable(name: string): Promise<Float32Array> {
    const known = tables.get(name);
    if (known) return known;
    if (tables.size >= MAX_CACHED_TABLES) tables.clear();
    const file = await readFile(join(folder, `${name}.bin`));
    const table = new Float32Array(new Uint8Array(file).buffer);
    tables.set(name, table);
    return table;
  }

  return async (voice, tokens, language = voice.language) => {
    const { embedding, prosody } = voice;
    const native = nativeVoice(voice, language);
    const own = prosody === undefined ? await tableOf(voice) : await namedTable(prosody);
    const stock = rowOf(own, tokens);
    const style = Float32Array.from(stock);
    if (prosody !== undefined) {
      if (!(embedding instanceof Float32Array) || embedding.length !== TIMBRE_SIZE)
        throw new Error(`a timbre of Kokoro has ${TIMBRE_SIZE} numbers`);
      const offset = await languageOffset(language);
      style.set(offset === undefined ? embedding : embedding.map((value, i) => value + (offset[i] ?? 0)));
    }
    return native === undefined ? style : moved(style, stock, rowOf(await namedTable(native.name), tokens), native);
  };
}

function rowOf(table: Float32Array, tokens: number): Float32Array {
  const row = Math.min(tokens, table.length / STYLE_SIZE) - 1;
  return table.slice(row * STYLE_SIZE, (row + 1) * STYLE_SIZE);
}

/**
 * Moves a style by what a native voice differs from the stock voice. A cloned voice, whose timbre is not the stock voice's, so keeps
 * all in which it differs from other voices.
 */
function moved(
  style: Float32Array,
  stock: Float32Array,
  native: Float32Array,
  { timbre, prosody }: NativeVoice,
): Float32Array {
  return style.map((value, i) => value + (i < TIMBRE_SIZE ? timbre : prosody) * ((native[i] ?? 0) - (stock[i] ?? 0)));
}
