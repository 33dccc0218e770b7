import { planChunks, type SpokenWord } from "../text/index.ts";

/** The words of a text as the chunker gives them to an engine. */
export function spokenWords(text: string): SpokenWord[] {
  const options = { latency: "normal", chunkLength: 300, minChunkLength: 0, normalize: true } as const;
  return [...planChunks(text, { ...options, languageOf: () => "en-us" })].flatMap((chunk) => chunk.words);
}
