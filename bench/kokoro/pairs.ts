import { readFile } from "node:fs/promises";
import { createModelStore, defaultModelsDirectory } from "@parlance/speech";
import { kokoroAlphabet } from "../../packages/speech/src/engines/kokoro/alphabet.ts";
import { type DecodeOptions, openDecoder } from "../../packages/speech/src/engines/kokoro/decoders.ts";
import { kokoro } from "../../packages/speech/src/engines/kokoro/descriptor.ts";
import { parseVocabulary } from "../../packages/speech/src/engines/kokoro/kokoro.ts";
import { createKokoroPronouncer } from "../../packages/speech/src/engines/kokoro/pronounce.ts";
import { type EncodedText, type Encoder, openEncoder } from "../../packages/speech/src/engines/kokoro/stages.ts";
import { createStyles } from "../../packages/speech/src/engines/kokoro/styles.ts";
import { parseGraph } from "../../packages/speech/src/engines/onnx/graph.ts";
import { tokenize } from "../../packages/speech/src/engines/tokens.ts";
import { loadEspeak } from "../../packages/speech/src/g2p/espeak.ts";
import { createPronouncer } from "../../packages/speech/src/g2p/pronounce.ts";
import { concatSamples } from "../../packages/speech/src/testing/signals.ts";
import { planChunks } from "../../packages/speech/src/text/index.ts";
import type { Item } from "./texts.ts";

/** Kokoro with both of its decoders in this process, one stage at a time. */
export async function openBoth(threads: number) {
  const models = createModelStore({ directory: defaultModelsDirectory(process.env) });
  if (!(await models.has(kokoro.requiredModel))) throw new Error(`the model ${kokoro.requiredModel} is not installed`);
  const [files, full] = await Promise.all([kokoro.locate(models, "fast"), kokoro.locate(models, "full")]);
  const vocabulary = parseVocabulary(await readFile(files.tokenizer, "utf8"));
  const pronounce = createKokoroPronouncer(createPronouncer(await loadEspeak()));
  const styleOf = createStyles(files.voices);
  const graph = parseGraph(await readFile(files.model));
  const encoders = { fast: await openEncoder(graph, "fast", threads), full: await openEncoder(graph, "full", threads) };
  const teacherIsFull = full.model !== files.model;
  let exact: Promise<Encoder> | undefined;
  /** The original encoder in float32. Opened when it is first used. */
  const exactEncoder = (): Promise<Encoder> => {
    if (!teacherIsFull) throw new Error("the model kokoro-fp32 is not installed");
    exact ??= readFile(full.model).then((file) => openEncoder(parseGraph(file), "full", threads));
    return exact;
  };
  const student = await openDecoder("fast", graph, threads);
  const teacher = await openDecoder("full", parseGraph(await readFile(full.model)), threads);

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
    /** In the windows in which it is streamed. */
    async student(text: EncodedText, options?: DecodeOptions): Promise<Float32Array[]> {
      const windows: Float32Array[] = [];
      for await (const window of student.decode(text, options)) windows.push(window);
      return windows;
    },
    async teacher(text: EncodedText): Promise<Float32Array> {
      const parts: Float32Array[] = [];
      for await (const part of teacher.decode(text)) parts.push(part);
      return concatSamples(parts);
    },
    async close() {
      const all = [encoders.fast, encoders.full, student, teacher, ...(exact ? [await exact] : [])];
      await Promise.all(all.map((each) => each.close()));
    },
  };
}

export type Both = Awaited<ReturnType<typeof openBoth>>;

export function wordsOf(text: string, language: string) {
  const options = { latency: "normal", chunkLength: 300, minChunkLength: 0, normalize: true } as const;
  return [...planChunks(text, { ...options, languageOf: () => language })].flatMap((chunk) => chunk.words);
}

export interface Pair {
  readonly item: Item;
  readonly teacher: Float32Array;
  readonly student: Float32Array;
  /** Where windows of the student meet, as samples. */
  readonly boundaries: readonly number[];
}

/** Both decoders on the same encoder's output. */
export async function makePair(both: Both, item: Item): Promise<Pair> {
  const text = await both.encode(item);
  const windows = await both.student(text);
  let end = 0;
  const boundaries = windows.slice(0, -1).map((window) => {
    end += window.length;
    return end;
  });
  return { item, teacher: await both.teacher(text), student: concatSamples(windows), boundaries };
}
