/**
 * Writes the texts of the training pairs as Kokoro's token ids, made by the front end that the engine itself uses.
 *
 *   node --conditions=source --import tsx training/kokoro-student/texts.ts HELP_FOLDER TOKENIZER OUT.json
 *
 * HELP_FOLDER contains pages of Mallard XML in C, es, fr, it, pt_BR and hi: `usr/share/help` of Debian's gnome-user-docs
 * (CC BY-SA 3.0). Short texts are in short-texts.ts. The student is only trained on the audio that the
 * teacher makes from them.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { kokoroAlphabet } from "../../packages/speech/src/engines/kokoro/alphabet.ts";
import { createKokoroPronouncer } from "../../packages/speech/src/engines/kokoro/pronounce.ts";
import { tokenize } from "../../packages/speech/src/engines/tokens.ts";
import { loadEspeak } from "../../packages/speech/src/g2p/espeak.ts";
import { createPronouncer } from "../../packages/speech/src/g2p/pronounce.ts";
import { planChunks } from "../../packages/speech/src/text/index.ts";
import { helpSentences, randomNumbers, shuffled } from "../help-sentences.ts";
import { shortTexts } from "./short-texts.ts";

interface Item {
  readonly language: string;
  readonly text: string;
  readonly ids: readonly number[];
}

const sources = [
  { language: "en-us", short: "en", folder: "C", sentences: 3000 },
  { language: "en-gb", short: "en", folder: "C", sentences: 2000 },
  { language: "es", short: "es", folder: "es", sentences: 2200 },
  { language: "fr-fr", short: "fr", folder: "fr", sentences: 2200 },
  { language: "it", short: "it", folder: "it", sentences: 2200 },
  { language: "pt-br", short: "pt", folder: "pt_BR", sentences: 2200 },
  { language: "hi", short: "hi", folder: "hi", sentences: 2200 },
] as const;

const MAX_TOKENS = 500;
const SPACE = " ";
const [help = "", tokenizer = "", out = ""] = process.argv.slice(2);
const random = randomNumbers(9);
const vocabulary = new Map<string, number>(Object.entries(JSON.parse(await readFile(tokenizer, "utf8")).model.vocab));
const pronounce = createKokoroPronouncer(createPronouncer(await loadEspeak()));
const alphabet = kokoroAlphabet(vocabulary);
const space = vocabulary.get(SPACE) ?? 16;

const items: Item[] = [];
for (const { language, short, folder, sentences } of sources) {
  const idsOf = async (text: string): Promise<number[]> => {
    const options = { latency: "normal", chunkLength: 300, minChunkLength: 0, normalize: true } as const;
    const ids: number[] = [];
    for (const chunk of planChunks(text, { ...options, languageOf: () => language })) {
      if (ids.length > 0) ids.push(space);
      ids.push(...tokenize(await pronounce(chunk.words, language), alphabet).map((token) => token.id));
    }
    return ids;
  };
  const add = (text: string, ids: readonly number[]) => {
    if (ids.length > 1) items.push({ language, text, ids: ids.slice(0, MAX_TOKENS) });
  };
  const said = shuffled(await helpSentences(join(help, folder, "gnome-help"), language), random).slice(0, sentences);
  const spoken: { text: string; ids: number[] }[] = [];
  for (const text of said) spoken.push({ text, ids: await idsOf(text) });
  for (const { text, ids } of spoken) add(text, ids);
  // Short texts are repeated, so that starts and ends are learned well.
  for (const text of shortTexts[short] ?? []) for (let copy = 0; copy < 3; copy++) add(text, await idsOf(text));
  // Parts of sentences, as from a split without a pause.
  for (const { text } of spoken.slice(0, sentences / 6)) {
    const words = text.split(SPACE);
    const from = Math.floor(random() * words.length);
    const bit = words.slice(from, from + 1 + Math.floor(random() * 5)).join(SPACE);
    add(bit, await idsOf(bit));
  }
  // Long texts, up to the maximum input of the model.
  for (let count = 0; count < sentences / 10; count++) {
    const goal = 200 + random() * 300;
    const texts: string[] = [];
    let ids: number[] = [];
    while (ids.length < goal) {
      const next = spoken[Math.floor(random() * spoken.length)];
      if (!next) break;
      texts.push(next.text);
      ids = ids.length > 0 ? [...ids, space, ...next.ids] : next.ids;
    }
    add(texts.join(SPACE), ids);
  }
  process.stdout.write(`${language}: ${items.filter((item) => item.language === language).length} texts\n`);
}
await writeFile(out, JSON.stringify(items));
