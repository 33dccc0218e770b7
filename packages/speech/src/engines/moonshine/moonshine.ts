import { readFile } from "node:fs/promises";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Tensor } from "onnxruntime-node";
import { lazy } from "../../lib/lazy.ts";
import { openTogether } from "../../lib/open-together.ts";
import { createAttentionRows, type HeadChoice } from "../attention/attention-rows.ts";
import { heardTokens } from "../attention/heard-tokens.ts";
import { keptTokens } from "../attention/kept-tokens.ts";
import { loopedTokens } from "../attention/repetition.ts";
import { reviseTokens } from "../attention/revise-tokens.ts";
import { argmax, logProbability } from "../attention/scores.ts";
import { tokenStarts } from "../attention/time-warp.ts";
import { type DecodingSession, loadTokenDecoder, type TokenStep } from "../attention/token-decoder.ts";
import { textOf, wordsOf } from "../attention/token-words.ts";
import { withModelFile } from "../onnx/read-graph.ts";
import type { KnownTokens, RecognizedSpeech, Recognizer, TranscribeOptions } from "../recognizer.ts";
import { moonshineDecoder } from "./description.ts";
import { loadEncoder } from "./encoder.ts";
import type { MoonshineFiles } from "./files.ts";
import { type EndScores, endScores, sentenceEndProbability, sentenceMarks } from "./sentence-end.ts";
import { parseVocabulary } from "./vocabulary.ts";

const sampleRate = 16_000;
const frameSeconds = 384 / sampleRate;
const token = { start: 1, end: 2 };
/** Speech has no more tokens than this; a decoder that continues is in a loop. */
const TOKENS_PER_SECOND = 6.5;
/** The minimum input of the encoder's convolutions. */
const MIN_SAMPLES = 1600;
const SILENT_SAMPLES = 4800;
/** More of a text before a pause tells no more about the end of its sentence, and takes a millisecond each. */
const SENTENCE_TOKENS = 48;

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

/** Where decoding starts: after tokens that are known, with the steps that led to them. */
interface Beginning {
  readonly kept: readonly number[];
  readonly steps: readonly TokenStep[];
  readonly contextWords: number;
  readonly isRevised: boolean;
  readonly session: DecodingSession;
}

/** English only. */
export async function loadMoonshine(files: MoonshineFiles, threads: number): Promise<Recognizer> {
  const vocabulary = parseVocabulary(await readFile(files.vocabulary, "utf8"));
  const textOfToken = (id: number): string => Buffer.from(vocabulary.bytes(id)).toString();
  const marks = sentenceMarks(textOfToken, vocabulary.size, token.end);
  const markTokens = new Set([...marks.ends, ...marks.goesOn, marks.end]);
  const { encoder, decoder } = await openTogether(async (onFailure) => {
    const encoder = await loadEncoder(files.encoder, threads);
    onFailure(encoder.close);
    const load = () => loadTokenDecoder(files.decoder, { ...moonshineDecoder, attentionLayers }, threads);
    return { encoder, decoder: await withModelFile(files.decoder, load) };
  });
  const silence = lazy(() => encoder.encode(new Float32Array(SILENT_SAMPLES)));
  /** What follows these tokens by the text alone: with silence as its audio, the decoder is a language model. */
  async function textEnd(tokens: readonly number[]): Promise<EndScores> {
    const { steps } = await decoder.check(await silence(), [token.start, ...tokens]);
    return endScores(steps.at(-1)?.scores ?? new Float32Array(0), marks);
  }

  /** Without known tokens, or where none of them fits, decoding starts at the first one. */
  async function begin(encoded: Tensor, known: KnownTokens | undefined, limit: number): Promise<Beginning> {
    const context = known?.context.flat() ?? [];
    const tokens = [...context, ...(known?.draft ?? [])].slice(0, limit);
    if (tokens.length === 0 || context.length > tokens.length)
      return { kept: [], steps: [], contextWords: 0, isRevised: false, session: await decoder.start(encoded) };
    const check = (checked: readonly number[]) => decoder.check(encoded, [token.start, ...checked]);
    const range = { from: firstRevised(known), to: context.length, shownTo: context.length + (known?.shown ?? 0) };
    const revised = await reviseTokens(check, tokens, range, token.end);
    const { steps, after } = revised.checked;
    const { count, hasContext } = keptTokens(steps, revised.tokens, revised.to, revised.kept);
    const [kept, session] = [revised.tokens.slice(0, count), after(count + 1)];
    const isRevised = hasContext && revised.isChanged;
    const contextWords = hasContext ? (isRevised ? wordCount(kept.slice(0, revised.to)) : known?.context.length) : 0;
    return { kept, steps: steps.slice(0, count + 1), contextWords: contextWords ?? 0, isRevised, session };
  }

  function wordCount(tokens: readonly number[]): number {
    return wordsOf(
      tokens.map((id) => ({ bytes: vocabulary.bytes(id), start: 0 })),
      0,
      true,
    ).length;
  }

  async function transcribe(
    samples: Float32Array,
    signal: AbortSignal,
    { judgesEnd = false, known }: TranscribeOptions,
  ): Promise<RecognizedSpeech> {
    const limit = Math.ceil((samples.length / sampleRate) * TOKENS_PER_SECOND) + 4;
    const {
      kept: given,
      steps,
      contextWords,
      isRevised,
      session,
    } = await begin(await encoder.encode(samples), known, limit);
    const rows = createAttentionRows(alignmentHeads, moonshineDecoder.heads);
    const tokens: number[] = [];
    const probabilities: number[] = [];
    const ends: number[] = [];
    let logProbabilities = 0;
    /** Behind the last word. */
    let heardEnd: (EndScores & { readonly tokens: number }) | undefined;
    for (let last = token.start; tokens.length < limit && loopedTokens(tokens) === 0; tokens.push(last)) {
      // Inference blocks the thread: let a cancellation in.
      await yieldToEventLoop();
      signal.throwIfAborted();
      const { scores, attention } = steps[tokens.length] ?? (await session.next(last));
      rows.add(attention);
      const before = last;
      last = given[tokens.length] ?? argmax(scores);
      // Only the first mark behind a word decides.
      if (judgesEnd && markTokens.has(last) && !markTokens.has(before))
        heardEnd = { ...endScores(scores, marks), tokens: tokens.length };
      const probability = logProbability(scores, last);
      // Both have the same sum of scores, which takes most of the time.
      ends.push(probability + (scores[token.end] ?? 0) - (scores[last] ?? 0));
      logProbabilities += probability;
      if (last === token.end) break;
      probabilities.push(Math.exp(probability));
    }
    const starts = tokenStarts(rows.table(Number.POSITIVE_INFINITY)).map((frame) =>
      Math.max(0, frame * frameSeconds - ATTENTION_DELAY_SECONDS),
    );
    const seconds = samples.length / sampleRate;
    const heard = tokens.length < limit ? tokens.length : Math.max(given.length, heardTokens(starts, ends, seconds));
    const kept = tokens.slice(0, Math.min(heard, tokens.length - loopedTokens(tokens)));
    const timed = kept.map((id, index) => ({
      bytes: vocabulary.bytes(id),
      start: starts[index] ?? 0,
      probability: probabilities[index] ?? 0,
      ...(known ? { id } : {}),
    }));
    const words = wordsOf(timed, starts[kept.length] ?? seconds, true);
    const found = {
      text: textOf(words),
      words,
      confidence: logProbabilities / (tokens.length + 1),
      silence: 0,
      ...(known ? { contextWords, isRevised } : {}),
    };
    if (!judgesEnd) return found;
    if (!heardEnd) return { ...found, sentenceEnd: 0 };
    // Without its beginning, the text before a pause often looks whole.
    const text = [...(known?.before ?? []), ...tokens.slice(0, heardEnd.tokens)].slice(-SENTENCE_TOKENS);
    return { ...found, sentenceEnd: sentenceEndProbability(heardEnd, await textEnd(text)) };
  }

  return {
    sampleRate,
    async prepareLive() {
      await textEnd([]);
    },
    async transcribe(samples, signal, _language, _task, _hints, options = {}) {
      if (samples.length >= MIN_SAMPLES) return transcribe(samples, signal, options);
      return { text: "", words: [], confidence: 0, silence: 1 };
    },
    async close() {
      await Promise.all([encoder.close(), decoder.close()]);
    },
  };
}

/** The first token that may be replaced. The first word of audio that starts within a text is as unlikely as its beginning. */
function firstRevised(known: KnownTokens | undefined): number {
  if (known?.revisedFrom === undefined) return Number.POSITIVE_INFINITY;
  const words = Math.max(known.revisedFrom, known.before?.length ? 1 : 0);
  return known.context.slice(0, words).flat().length;
}
