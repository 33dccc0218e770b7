import { CLINGING_CUT, COMMA_CUT, cutStrength, SENTENCE_CUT, spokenLength } from "./clauses.ts";
import type { ReadWord } from "./read.ts";

/** Words that may form a chunk, and its desired length. */
export interface CutRequest {
  readonly words: readonly ReadWord[];
  /** Indices of the words that end a sentence, in order. */
  readonly sentenceEnds: ReadonlySet<number>;
  readonly language: string;
  /** Spoken characters: the minimum, the target, the maximum. */
  readonly shortest: number;
  readonly limit: number;
  /** Whether an early split is preferred, for a fast start. */
  readonly early: boolean;
}

/** No chunk is longer than this many spoken characters. */
export const MAX_CHUNK = 300;
/** A whole sentence may exceed the limit by this factor instead of being split. */
export const SLACK = 1.2;
/** The minimum length on both sides of a split. */
export const SHORTEST_CHUNK = 12;
const EARLY_GOAL = 20;

/** The number of words in the next chunk: at least one, or 0 if only a natural pause is allowed and there is none. */
export function chooseCut(request: CutRequest, atLeast: "space" | "punctuation" = "space"): number {
  const { words, sentenceEnds, language, shortest, limit } = request;
  const total = words.reduce((sum, word) => sum + spokenLength(word), 0);
  let best = 0;
  let bestScore = Number.NEGATIVE_INFINITY;
  let fallback = 0;
  let length = 0;
  for (const [index, word] of words.entries()) {
    length += spokenLength(word);
    if (length > MAX_CHUNK + 1 && fallback > 0) break;
    const strength = cutStrength(words, index, sentenceEnds.has(index), language);
    if (strength < (atLeast === "punctuation" ? COMMA_CUT : CLINGING_CUT)) continue;
    if (length > limit && best > 0) break;
    fallback = index + 1;
    if (length < shortest || length > limit) {
      if (length > limit && best === 0) return fallback;
      continue;
    }
    const rest = total - length;
    const score = strength + closeness(length, request) - (rest < SHORTEST_CHUNK && strength < SENTENCE_CUT ? 2 : 0);
    if (score > bestScore) {
      bestScore = score;
      best = index + 1;
    }
  }
  if (best > 0) return best;
  if (atLeast === "punctuation") return 0;
  return total > MAX_CHUNK && fallback > 0 ? fallback : words.length;
}

/** 0 – 1.5: how close a length is to the target. */
function closeness(length: number, { limit, early }: CutRequest): number {
  if (!early) return (1.5 * length) / limit;
  if (length < EARLY_GOAL) return 0.4;
  return 1.5 - (length - EARLY_GOAL) / (limit - EARLY_GOAL);
}
