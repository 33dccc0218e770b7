/** Even the fastest words have fewer tokens in a second. */
const MAX_TOKENS_PER_SECOND = 25;

/**
 * How many tokens of a text that has not ended were heard. A decoder that misses the end invents words, often those that it began
 * with, and its attention stays at the end of the audio. Such a text ends where that was likeliest.
 *
 * @param starts when each token starts, in seconds
 * @param ends the log probability that the text ends before each token
 */
export function heardTokens(starts: readonly number[], ends: readonly number[], seconds: number): number {
  const end = Math.max(0, ends.indexOf(Math.max(...ends)));
  const secondsLeft = seconds - (starts[end] ?? seconds);
  return ends.length - end > MAX_TOKENS_PER_SECOND * secondsLeft ? end : ends.length;
}
