import { setImmediate as turnOfLoop } from "node:timers/promises";
import { createAttentionRows } from "../attention/attention-rows.ts";
import { loopedTokens } from "../attention/repetition.ts";
import { largest, logProbability, sample } from "../attention/scores.ts";
import type { Attention } from "../attention/time-warp.ts";
import type { Listening } from "../attention/token-decoder.ts";
import type { WhisperSettings } from "./settings.ts";

/** One attempt at writing down what was heard. */
export interface Written {
  readonly tokens: readonly number[];
  /** A row for each token and one for the end. */
  readonly attention: Attention;
  /** Mean logarithm of the tokens' probabilities. */
  readonly confidence: number;
  /** Probability that nobody speaks. */
  readonly silence: number;
  /** The writer repeated itself; the repetition is left out. */
  readonly looped: boolean;
}

export interface WritingOptions {
  readonly language: number;
  readonly mostTokens: number;
  /** Frames that are not added silence. */
  readonly frames: number;
  /** 0 takes the likeliest token each time. */
  readonly temperature: number;
  readonly random: () => number;
}

export async function writeDown(
  listening: Listening,
  settings: WhisperSettings,
  options: WritingOptions,
  signal: AbortSignal,
): Promise<Written> {
  const { start, transcribe, noTimes, noSpeech, end } = settings.tokens;
  const silence = Math.exp(logProbability((await listening.next(start)).scores, noSpeech));
  await listening.next(options.language);
  await listening.next(transcribe);
  const rows = createAttentionRows(settings.alignment.heads, settings.decoder.heads);
  const tokens: number[] = [];
  let certainty = 0;
  for (let last = noTimes; tokens.length < options.mostTokens && loopedTokens(tokens) === 0; tokens.push(last)) {
    // Inference holds the thread: let a cancellation in.
    await turnOfLoop();
    signal.throwIfAborted();
    const { scores, attention } = await listening.next(last);
    rows.add(attention);
    suppress(scores, settings, tokens.length === 0);
    last = options.temperature > 0 ? sample(scores, options.temperature, options.random) : largest(scores);
    certainty += logProbability(scores, last);
    if (last === end) break;
  }
  const looped = loopedTokens(tokens);
  return {
    tokens: tokens.slice(0, tokens.length - looped),
    attention: rows.table(options.frames),
    confidence: certainty / (tokens.length + 1),
    silence,
    looped: looped > 0,
  };
}

/** Time marks have the numbers after `noTimes`; they are not text either. */
function suppress(scores: Float32Array, settings: WhisperSettings, first: boolean): void {
  for (const token of settings.suppressed) scores[token] = Number.NEGATIVE_INFINITY;
  if (first) for (const token of settings.suppressedFirst) scores[token] = Number.NEGATIVE_INFINITY;
  scores.fill(Number.NEGATIVE_INFINITY, settings.tokens.noTimes);
  for (const token of settings.languages.values()) scores[token] = Number.NEGATIVE_INFINITY;
}
