import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { EngineVoice } from "../engine.ts";
import { weightedMean } from "../weighted-mean.ts";
import { STYLE_SIZE } from "./stages.ts";

const MAX_CACHED_TABLES = 64;

/** The style of a voice for a text of a number of tokens. A voice is a table with a row for each length. */
export type Styles = (voice: EngineVoice, tokens: number) => Promise<Float32Array>;

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

  return async (voice, tokens) => {
    const table = await tableOf(voice);
    const row = Math.min(tokens, table.length / STYLE_SIZE) - 1;
    return table.slice(row * STYLE_SIZE, (row + 1) * STYLE_SIZE);
  };
}
