import { readFile } from "node:fs/promises";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { Tensor } from "onnxruntime-node";
import { createAttentionRows, type HeadChoice } from "../attention/attention-rows.ts";
import { loopedTokens } from "../attention/repetition.ts";
import { argmax, logProbability } from "../attention/scores.ts";
import { tokenStarts } from "../attention/time-warp.ts";
import { loadTokenDecoder } from "../attention/token-decoder.ts";
import { textOf, wordsOf } from "../attention/token-words.ts";
import { withModelFile } from "../onnx/read-graph.ts";
import type { RecognizedSpeech, Recognizer } from "../recognizer.ts";
import { floats, openSession } from "../session.ts";
import { moonshineDecoder } from "./description.ts";
import type { MoonshineFiles } from "./files.ts";
import { parseVocabulary } from "./vocabulary.ts";

const sampleRate = 16_000;
const frameSeconds = 384 / sampleRate;
const token = { start: 1, end: 2 };
/** Speech has no more tokens than this; a decoder that continues is in a loop. */
const TOKENS_PER_SECOND = 6.5;
/** The minimum input of the encoder's convolutions. */
const MIN_SAMPLES = 1600;

/*
 * The heads whose attention follows the audio, chosen by comparison with a forced alignment of real speech; together they are
 * 38 ms off on average. They are a little late: a token is clear only after its start.
 */
const attentionLayers = [4, 5, 7];
const alignmentHeads: readonly HeadChoice[] = [
  [2, 2],
  [1, 1],
  [2, 1],
  [1, 4],
  [0, 2],
];
const ATTENTION_DELAY_SECONDS = 0.045;

/** English only. */
export async function loadMoonshine(files: MoonshineFiles, threads: number): Promise<Recognizer> {
  const vocabulary = parseVocabulary(await readFile(files.vocabulary, "utf8"));
  const encoder = await openSession(files.encoder, threads, { keepMemory: false });
  const decoder = await withModelFile(files.decoder, () =>
    loadTokenDecoder(files.decoder, { ...moonshineDecoder, attentionLayers }, threads),
  );

  async function transcribe(samples: Float32Array, signal: AbortSignal): Promise<RecognizedSpeech> {
    const encoded = (await encoder.run({ input_values: floats(samples, 1, samples.length) })).last_hidden_state;
    if (!(encoded instanceof Tensor)) throw new Error("the speech encoder has no output");
    const session = await decoder.start(encoded);
    const limit = Math.ceil((samples.length / sampleRate) * TOKENS_PER_SECOND) + 4;
    const rows = createAttentionRows(alignmentHeads, moonshineDecoder.heads);
    const tokens: number[] = [];
    let logProbabilities = 0;
    let lastProbability = 0;
    for (let last = token.start; tokens.length < limit && loopedTokens(tokens) === 0; tokens.push(last)) {
      // Inference blocks the thread: let a cancellation in.
      await yieldToEventLoop();
      signal.throwIfAborted();
      const { scores, attention } = await session.next(last);
      rows.add(attention);
      last = argmax(scores);
      const probability = logProbability(scores, last);
      logProbabilities += probability;
      if (last === token.end) break;
      lastProbability = Math.exp(probability);
    }
    const starts = tokenStarts(rows.table(Number.POSITIVE_INFINITY)).map((frame) =>
      Math.max(0, frame * frameSeconds - ATTENTION_DELAY_SECONDS),
    );
    const kept = tokens.slice(0, tokens.length - loopedTokens(tokens));
    const timed = kept.map((id, index) => ({ bytes: vocabulary.bytes(id), start: starts[index] ?? 0 }));
    const words = wordsOf(timed, starts[kept.length] ?? samples.length / sampleRate, true);
    const text = textOf(words);
    const sentenceEnd = /[.!?]$/.test(text) ? lastProbability : 0;
    return { text, words, confidence: logProbabilities / (tokens.length + 1), silence: 0, sentenceEnd };
  }

  return {
    sampleRate,
    async transcribe(samples, signal) {
      if (samples.length >= MIN_SAMPLES) return transcribe(samples, signal);
      return { text: "", words: [], confidence: 0, silence: 1 };
    },
    async close() {
      await Promise.all([encoder.release(), decoder.close()]);
    },
  };
}
