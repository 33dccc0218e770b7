import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { createAttentionRows } from "../attention/attention-rows.ts";
import { loopedTokens } from "../attention/repetition.ts";
import { argmax, logProbability, sample } from "../attention/scores.ts";
import type { Attention } from "../attention/time-warp.ts";
import type { DecodingSession } from "../attention/token-decoder.ts";
import type { RecognitionTask } from "../recognizer.ts";
import type { KeywordBias } from "./keyword-bias.ts";
import type { WhisperSettings } from "./settings.ts";

/** The tokens of one decoding attempt. */
export interface DecodedTokens {
  readonly tokens: readonly number[];
  /** A row for each token and one for the end. */
  readonly attention: Attention;
  /** Mean log probability of the tokens. */
  readonly confidence: number;
  /** The probability that there is no speech. */
  readonly silence: number;
  /** The decoder was in a loop; the repetition is removed. */
  readonly looped: boolean;
  /** The decoder ended the text itself, before it had as many tokens as speech of this length can have. */
  readonly complete: boolean;
}

export interface DecodeOptions {
  readonly language: number;
  readonly task: RecognitionTask;
  readonly maxTokens: number;
  /** Frames without the padding. */
  readonly frames: number;
  /** 0 always takes the likeliest token. */
  readonly temperature: number;
  readonly random: () => number;
  readonly bias: KeywordBias | undefined;
}

export async function decodeTokens(
  session: DecodingSession,
  settings: WhisperSettings,
  options: DecodeOptions,
  signal: AbortSignal,
): Promise<DecodedTokens> {
  const { start, noTimes, noSpeech, end } = settings.tokens;
  const silence = Math.exp(logProbability((await session.next(start)).scores, noSpeech));
  await session.next(options.language);
  await session.next(settings.tokens[options.task]);
  const rows = createAttentionRows(settings.alignment.heads, settings.decoder.heads);
  const tokens: number[] = [];
  let logProbabilities = 0;
  let complete = false;
  for (let last = noTimes; tokens.length < options.maxTokens && loopedTokens(tokens) === 0; tokens.push(last)) {
    // Inference blocks the thread: let a cancellation in.
    await yieldToEventLoop();
    signal.throwIfAborted();
    const { scores, attention } = await session.next(last);
    rows.add(attention);
    suppress(scores, settings, tokens.length === 0);
    const raised = options.bias ? raisedBy(options.bias, scores, tokens) : scores;
    last = options.temperature > 0 ? sample(raised, options.temperature, options.random) : argmax(raised);
    logProbabilities += logProbability(scores, last);
    if (last === end) {
      complete = true;
      break;
    }
  }
  const looped = loopedTokens(tokens);
  return {
    tokens: tokens.slice(0, tokens.length - looped),
    attention: rows.table(options.frames),
    confidence: logProbabilities / (tokens.length + 1),
    silence,
    looped: looped > 0,
    complete,
  };
}

/** A copy, because the confidence is that of the model. */
function raisedBy(bias: KeywordBias, scores: Float32Array, tokens: readonly number[]): Float32Array {
  const raised = scores.slice();
  bias(raised, tokens);
  return raised;
}

/** Timestamp tokens have the ids after `noTimes`; they are not text either. */
function suppress(scores: Float32Array, settings: WhisperSettings, first: boolean): void {
  for (const token of settings.suppressed) scores[token] = Number.NEGATIVE_INFINITY;
  if (first) for (const token of settings.suppressedFirst) scores[token] = Number.NEGATIVE_INFINITY;
  scores.fill(Number.NEGATIVE_INFINITY, settings.tokens.noTimes);
  for (const token of settings.languages.values()) scores[token] = Number.NEGATIVE_INFINITY;
}
