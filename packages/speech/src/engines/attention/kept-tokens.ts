import { argmax, logProbability } from "./scores.ts";
import type { TokenStep } from "./token-decoder.ts";

/**
 * A context whose tokens are less likely than this, as the mean logarithm, does not belong to the audio. In recordings that it was
 * not chosen on, 11 of 387 are below it, and 30 are below −1.
 */
const MIN_CONTEXT = -1.5;

/**
 * How many of the tokens of an earlier decoding are kept, by the steps that lead to each of them: the context as a whole, then
 * tokens as long as they are the likeliest ones. A context that does not fit is treated like the others.
 */
export function keptTokens(
  steps: readonly Pick<TokenStep, "scores">[],
  tokens: readonly number[],
  context: number,
  kept = context,
): { readonly count: number; readonly hasContext: boolean } {
  const scoresAt = (index: number): Float32Array => steps[index]?.scores ?? new Float32Array(0);
  // The first word is as unlikely as it is at the start of a sentence.
  const checked = tokens.slice(1, context).map((token, index) => logProbability(scoresAt(index + 1), token));
  const hasContext = context > 0 && sumOf(checked) >= MIN_CONTEXT * checked.length;
  let count = hasContext || context === 0 ? kept : 0;
  while (count < tokens.length && argmax(scoresAt(count)) === tokens[count]) count++;
  return { count, hasContext };
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
