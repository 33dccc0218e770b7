/**
 * Japanese and Chinese sentences as Kokoro's phonemes, by the front ends of the engine.
 *
 *   node --conditions=source --import tsx training/kokoro-reader/cjk.ts SENTENCES.jsonl OUT.jsonl
 */
import { readFile, writeFile } from "node:fs/promises";
import { createKokoroPronouncer } from "../../packages/speech/src/engines/kokoro/pronounce.ts";
import { loadEspeak } from "../../packages/speech/src/g2p/espeak.ts";
import { createPronouncer } from "../../packages/speech/src/g2p/pronounce.ts";
import { planChunks } from "../../packages/speech/src/text/index.ts";

const [sentences = "", out = ""] = process.argv.slice(2);
const pronounce = createKokoroPronouncer(createPronouncer(await loadEspeak()));
const options = { latency: "normal", chunkLength: 300, minChunkLength: 0, normalize: true } as const;

async function phonemesOf(text: string, language: string): Promise<string> {
  let result = "";
  for (const chunk of planChunks(text, { ...options, languageOf: () => language })) {
    for (const { phonemes, after, joined } of await pronounce(chunk.words, language))
      result += (result === "" || joined === true ? "" : " ") + phonemes.join("") + after;
  }
  return result;
}

const lines: string[] = [];
for (const line of (await readFile(sentences, "utf8")).split("\n")) {
  if (!/"(?:ja|zh)"/.test(line)) continue;
  const { language, text }: { language: string; text: string } = JSON.parse(line);
  const phonemes = await phonemesOf(text, language);
  if (phonemes.length > 1) lines.push(JSON.stringify({ language, text, phonemes }));
}
await writeFile(out, `${lines.join("\n")}\n`);
