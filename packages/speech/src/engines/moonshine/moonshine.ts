import { readFile } from "node:fs/promises";
import { setImmediate as turnOfLoop } from "node:timers/promises";
import { Tensor } from "onnxruntime-node";
import { createAttentionRows, type HeadChoice } from "../attention/attention-rows.ts";
import { loopedTokens } from "../attention/repetition.ts";
import { largest, logProbability } from "../attention/scores.ts";
import { tokenStarts } from "../attention/time-warp.ts";
import { loadTokenDecoder } from "../attention/token-decoder.ts";
import { textOf, wordsOf } from "../attention/token-words.ts";
import type { Heard, Recognizer } from "../recognizer.ts";
import { floats, openSession } from "../session.ts";
import { moonshineDecoder } from "./description.ts";
import { parseVocabulary } from "./vocabulary.ts";

const sampleRate = 16_000;
const frameSeconds = 384 / sampleRate;
const token = { start: 1, end: 2 };
/** People say no more than this; a decoder that goes on is lost in a loop. */
const TOKENS_PER_SECOND = 6.5;
/** The encoder's convolutions need this much. */
const LEAST_SAMPLES = 1600;

/*
 * The heads that look where the sound is, chosen by comparing each with a forced alignment of real speech; together they
 * are 38 ms off on average. They look a little late: at where a token is already clear.
 */
const attentionLayers = [4, 5, 7];
const alignmentHeads: readonly HeadChoice[] = [
  [2, 2],
  [1, 1],
  [2, 1],
  [1, 4],
  [0, 2],
];
const LOOKS_LATE_SECONDS = 0.045;

export interface MoonshineFiles {
  readonly encoder: string;
  readonly decoder: string;
  readonly vocabulary: string;
}

/** English only. */
export async function loadMoonshine(files: MoonshineFiles, threads: number): Promise<Recognizer> {
  const vocabulary = parseVocabulary(await readFile(files.vocabulary, "utf8"));
  const encoder = await openSession(files.encoder, threads, { keepMemory: false });
  const decoder = await loadTokenDecoder(
    await readFile(files.decoder),
    { ...moonshineDecoder, attentionLayers },
    threads,
  );

  async function transcribe(samples: Float32Array, signal: AbortSignal): Promise<Heard> {
    const encoded = (await encoder.run({ input_values: floats(samples, 1, samples.length) })).last_hidden_state;
    if (!(encoded instanceof Tensor)) throw new Error("the speech encoder gave nothing");
    const listening = await decoder.listen(encoded);
    const limit = Math.ceil((samples.length / sampleRate) * TOKENS_PER_SECOND) + 4;
    const rows = createAttentionRows(alignmentHeads, moonshineDecoder.heads);
    const tokens: number[] = [];
    let certainty = 0;
    for (let last = token.start; tokens.length < limit && loopedTokens(tokens) === 0; tokens.push(last)) {
      // Inference holds the thread: let a cancellation in.
      await turnOfLoop();
      signal.throwIfAborted();
      const { scores, attention } = await listening.next(last);
      rows.add(attention);
      last = largest(scores);
      certainty += logProbability(scores, last);
      if (last === token.end) break;
    }
    const starts = tokenStarts(rows.table(Number.POSITIVE_INFINITY)).map((frame) =>
      Math.max(0, frame * frameSeconds - LOOKS_LATE_SECONDS),
    );
    const kept = tokens.slice(0, tokens.length - loopedTokens(tokens));
    const timed = kept.map((id, index) => ({ bytes: vocabulary.bytes(id), start: starts[index] ?? 0 }));
    const words = wordsOf(timed, starts[kept.length] ?? samples.length / sampleRate, true);
    return { text: textOf(words), words, confidence: certainty / (tokens.length + 1), silence: 0 };
  }

  return {
    sampleRate,
    async transcribe(samples, signal) {
      if (samples.length >= LEAST_SAMPLES) return transcribe(samples, signal);
      return { text: "", words: [], confidence: 0, silence: 1 };
    },
    async close() {
      await Promise.all([encoder.release(), decoder.close()]);
    },
  };
}
