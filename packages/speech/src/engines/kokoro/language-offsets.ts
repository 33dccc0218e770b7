import { readFile } from "node:fs/promises";
import { lazy } from "../../lib/lazy.ts";
import { TIMBRE_SIZE } from "./style-size.ts";

const file = new URL("../../../assets/voice-encoder/language-offsets.bin", import.meta.url);

/** The languages with an offset, in the order of the file. German and Indonesian use the sounds of Italian. */
const ROWS: Readonly<Record<string, number>> = { es: 0, fr: 1, hi: 2, it: 3, ja: 4, pt: 5, zh: 6, de: 3, id: 3 };

const offsets = lazy(async () => new Float32Array(new Uint8Array(await readFile(file)).buffer));

/**
 * What is added to the timbre of a cloned voice in a language, learned with the voice encoder: without it, sounds that English
 * does not have are less clear. Undefined in English.
 */
export async function languageOffset(language: string): Promise<Float32Array | undefined> {
  const row = ROWS[language.split("-")[0] ?? ""];
  if (row === undefined) return undefined;
  return (await offsets()).subarray(row * TIMBRE_SIZE, (row + 1) * TIMBRE_SIZE);
}
