import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { planChunks } from "../text/index.ts";
import type { SpeechChunk } from "../text/types.ts";

const LENGTHS = { chunkLength: 300, minChunkLength: 0 };

const chunksOf = (text: string, language: string): SpeechChunk[] => [
  ...planChunks(text, { ...LENGTHS, latency: "normal", normalize: true, languageOf: () => language }),
];

/** What is said for a text, with the punctuation that shapes the speech behind its word. */
export const say = (text: string, language: string): string =>
  chunksOf(text, language)
    .flatMap(({ words }) => words.map((word) => word.text + word.after))
    .join(" ");

/** Each word with the written word that it stands for. */
export const origins = (text: string, language: string): string[] =>
  chunksOf(text, language).flatMap(({ words }) =>
    words.map((word) => `${word.text}<${text.slice(word.from, word.to)}`),
  );

/** A test for each line `written => spoken`; lines `## kind` name what follows. */
export function describeReadings(language: string, lines: string): void {
  describe(`reading of ${language}`, () => {
    let kind = "";
    for (const line of lines.split("\n").map((one) => one.trim())) {
      if (line.startsWith("## ")) kind = line.slice(3);
      const [written, spoken] = line.split(" => ");
      if (written === undefined || spoken === undefined) continue;
      it(`${kind}: ${written}`, () => assert.equal(say(written, language), spoken));
    }
  });
}
