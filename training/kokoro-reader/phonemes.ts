/**
 * Sentences as Kokoro's phonemes, by the front ends of the engine. English sentences are written in American and in British.
 *
 *   node --conditions=source --import tsx training/kokoro-reader/phonemes.ts SENTENCES.jsonl OUT.jsonl [PART/PARTS]
 */
import { createReadStream, createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import { createKokoroPronouncer } from "../../packages/speech/src/engines/kokoro/pronounce.ts";
import { loadEspeak } from "../../packages/speech/src/g2p/espeak.ts";
import { createPronouncer } from "../../packages/speech/src/g2p/pronounce.ts";
import { planChunks } from "../../packages/speech/src/text/index.ts";

const [sentences = "", out = "", share = "1/1"] = process.argv.slice(2);
const [part = 1, parts = 1] = share.split("/").map(Number);
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

const file = createWriteStream(out);
let index = 0;
for await (const line of createInterface({ input: createReadStream(sentences) })) {
  index++;
  if (index % parts !== part - 1) continue;
  const { language, text }: { language: string; text: string } = JSON.parse(line);
  for (const spoken of language === "en-us" ? ["en-us", "en-gb"] : [language]) {
    const phonemes = await phonemesOf(text, spoken);
    if (phonemes.length > 1) file.write(`${JSON.stringify({ language: spoken, phonemes })}\n`);
  }
}
file.end();
