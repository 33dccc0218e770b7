import { readFile } from "node:fs/promises";
import { createModelStore, defaultModelsDirectory } from "@parlance/speech";
import { kokoroAlphabet } from "../../packages/speech/src/engines/kokoro/alphabet.ts";
import { kokoro } from "../../packages/speech/src/engines/kokoro/descriptor.ts";
import { createKokoroPronouncer } from "../../packages/speech/src/engines/kokoro/pronounce.ts";
import { parseVocabulary } from "../../packages/speech/src/engines/kokoro/prosody-source.ts";
import { type EncodedText, type Encoder, openEncoder } from "../../packages/speech/src/engines/kokoro/stages.ts";
import { createStyles } from "../../packages/speech/src/engines/kokoro/styles.ts";
import { parseGraph } from "../../packages/speech/src/engines/onnx/graph.ts";
import { tokenize } from "../../packages/speech/src/engines/tokens.ts";
import { loadEspeak } from "../../packages/speech/src/g2p/espeak.ts";
import { createPronouncer } from "../../packages/speech/src/g2p/pronounce.ts";
import { planChunks } from "../../packages/speech/src/text/index.ts";
import type { Item } from "./texts.ts";

/** The files of Kokoro in 8 bits, and its model in float32, or that in 8 bits where the other is not installed. */
export async function kokoroFiles() {
  const models = createModelStore({ directory: defaultModelsDirectory(process.env) });
  if (!(await models.has(kokoro.requiredModel))) throw new Error(`the model ${kokoro.requiredModel} is not installed`);
  const [files, full] = await Promise.all([kokoro.locate(models, "fast"), kokoro.locate(models, "full")]);
  return { files, fullModel: full.model, teacherIsFull: full.model !== files.model };
}

/** The encoder halves of Kokoro in this process. `full` is the original in 8 bits, `exact` that in float32. */
export async function openEncoders(threads: number) {
  const { files, fullModel, teacherIsFull } = await kokoroFiles();
  const vocabulary = parseVocabulary(await readFile(files.tokenizer, "utf8"));
  const pronounce = createKokoroPronouncer(createPronouncer(await loadEspeak()));
  const styleOf = createStyles(files.voices);
  const graph = parseGraph(await readFile(files.model));
  const encoders = { fast: await openEncoder(graph, "fast", threads), full: await openEncoder(graph, "full", threads) };
  let exact: Promise<Encoder> | undefined;
  /** Opened when it is first used. */
  const exactEncoder = (): Promise<Encoder> => {
    if (!teacherIsFull) throw new Error("the model kokoro-fp32 is not installed");
    exact ??= readFile(fullModel).then((file) => openEncoder(parseGraph(file), "full", threads));
    return exact;
  };

  const spell = async ({ text, language }: Item): Promise<number[]> => {
    const tokens = tokenize(await pronounce(wordsOf(text, language), language), kokoroAlphabet(vocabulary));
    return [0, ...tokens.map((token) => token.id), 0];
  };
  return {
    teacherIsFull,
    spell,
    /** With the original encoder in 8 bits unless another one is named. */
    async encode(
      item: Item,
      given?: readonly number[],
      quality: "fast" | "full" | "exact" = "full",
    ): Promise<EncodedText> {
      const ids = given ?? (await spell(item));
      const encoder = quality === "exact" ? await exactEncoder() : encoders[quality];
      return encoder.encode(ids, await styleOf({ language: item.language, embedding: item.voice }, ids.length - 2));
    },
    async close() {
      const all = [encoders.fast, encoders.full, ...(exact ? [await exact] : [])];
      await Promise.all(all.map((each) => each.close()));
    },
  };
}

export function wordsOf(text: string, language: string) {
  const options = { latency: "normal", chunkLength: 300, minChunkLength: 0, normalize: true } as const;
  return [...planChunks(text, { ...options, languageOf: () => language })].flatMap((chunk) => chunk.words);
}
