/** The kinds of tokens behind a word. */
export interface SentenceMarks {
  /** Tokens that end a sentence. */
  readonly ends: readonly number[];
  /** Tokens after which it goes on: commas and the like. */
  readonly goesOn: readonly number[];
  /** The token after the text. */
  readonly end: number;
}

/** What the scores of the next token say about the end of a sentence. */
export interface EndScores {
  /** The logarithm of the odds of its mark against those after which it goes on. */
  readonly logOdds: number;
  /** The probability that the sentence or the text ends, against everything else. */
  readonly probability: number;
}

/** Finds the marks in a vocabulary of this many tokens. */
export function sentenceMarks(textOf: (token: number) => string, count: number, end: number): SentenceMarks {
  const texts = Array.from({ length: count }, (_, token) => textOf(token));
  const matching = (pattern: RegExp): number[] => texts.flatMap((text, token) => (pattern.test(text) ? [token] : []));
  // Dots are left out: somebody looks for a word.
  return { ends: matching(/^[.?!](?!\.)/), goesOn: matching(/^(?:[,;:–—-]|\.\.|…)/), end };
}

/** What can be as unlikely as this is not distinguished. */
const LEAST = 1e-9;

export function endScores(scores: Float32Array, { ends, goesOn, end }: SentenceMarks): EndScores {
  let best = Number.NEGATIVE_INFINITY;
  for (const score of scores) best = Math.max(best, score);
  let total = 0;
  for (const score of scores) total += Math.exp(score - best);
  const probability = (tokens: readonly number[]): number =>
    tokens.reduce((sum, token) => sum + Math.exp((scores[token] ?? Number.NEGATIVE_INFINITY) - best), 0) / total;
  const ended = probability(ends);
  return {
    logOdds: Math.log((ended + LEAST) / (probability(goesOn) + LEAST)),
    probability: ended + probability([end]),
  };
}

/**
 * How likely a sentence has ended, by the audio and by the text alone. The model writes a full stop wherever the audio ends, so
 * the probability of that mark says little. But where the sentence goes on, a comma is likely, too; and without any audio, the
 * model knows which texts are whole. All three count the same: other weights tell no more of the pauses of seven readers apart.
 */
export function sentenceEndProbability(heard: EndScores, text: EndScores): number {
  return 1 / (1 + Math.exp(-heard.logOdds - text.logOdds) / Math.max(LEAST, text.probability));
}
