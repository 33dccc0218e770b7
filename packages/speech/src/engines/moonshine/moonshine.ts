import { readFile } from "node:fs/promises";
import { Tensor } from "onnxruntime-node";
import type { Recognizer } from "../recognizer.ts";
import { floats, floatsOf, type InferenceSession, integers, openSession } from "../session.ts";
import { parseVocabulary } from "./vocabulary.ts";

const sampleRate = 16_000;
const token = { start: 1, end: 2 };
/** People say no more than this; a decoder that goes on is lost in a loop. */
const TOKENS_PER_SECOND = 6.5;

export interface MoonshineFiles {
  readonly encoder: string;
  readonly decoder: string;
  readonly vocabulary: string;
}

export async function loadMoonshine(files: MoonshineFiles, threads: number): Promise<Recognizer> {
  const vocabulary = parseVocabulary(await readFile(files.vocabulary, "utf8"));
  const encoder = await openSession(files.encoder, threads);
  const decoder = await openSession(files.decoder, threads);

  return {
    sampleRate,

    async transcribe(samples, signal) {
      const encoded = (await encoder.run({ input_values: floats(samples, 1, samples.length) })).last_hidden_state;
      if (!encoded) throw new Error("the speech encoder gave nothing");
      const limit = Math.ceil((samples.length / sampleRate) * TOKENS_PER_SECOND) + 4;
      const tokens: number[] = [];
      let last = token.start;
      let cache = emptyCache(decoder);
      while (tokens.length < limit && !signal.aborted) {
        const first = tokens.length === 0;
        const outputs = await decoder.run({
          input_ids: integers([last], 1, 1),
          encoder_hidden_states: encoded,
          use_cache_branch: new Tensor("bool", [!first], [1]),
          ...cache,
        });
        last = largest(floatsOf(outputs, "logits"));
        if (last === token.end) break;
        tokens.push(last);
        cache = nextCache(cache, outputs, first);
      }
      return vocabulary.decode(tokens);
    },

    async close() {
      await Promise.all([encoder.release(), decoder.release()]);
    },
  };
}

type Cache = Record<string, Tensor>;

function emptyCache(decoder: InferenceSession): Cache {
  const cache: Cache = {};
  for (const input of decoder.inputMetadata) {
    if (!input.isTensor || !input.name.startsWith("past_key_values")) continue;
    const [heads, width] = [input.shape[1], input.shape[3]];
    if (typeof heads !== "number" || typeof width !== "number") throw new Error(`odd shape of ${input.name}`);
    cache[input.name] = floats(new Float32Array(0), 1, heads, 0, width);
  }
  return cache;
}

/** What the encoder said stays as it was after the first step: later steps do not put it out again. */
function nextCache(cache: Cache, outputs: InferenceSession.OnnxValueMapType, first: boolean): Cache {
  const next: Cache = { ...cache };
  for (const name of Object.keys(cache)) {
    if (!first && name.includes(".encoder.")) continue;
    const value = outputs[name.replace("past_key_values", "present")];
    if (value instanceof Tensor) next[name] = value;
  }
  return next;
}

function largest(scores: Float32Array): number {
  let best = 0;
  for (let index = 1; index < scores.length; index++) {
    if ((scores[index] ?? 0) > (scores[best] ?? 0)) best = index;
  }
  return best;
}
