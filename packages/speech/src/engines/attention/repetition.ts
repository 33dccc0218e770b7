/** A phrase of up to this many tokens is a loop when it is repeated this many times. */
const MAX_PHRASE = 24;
const MAX_REPETITIONS = 4;
/** One or two tokens may be repeated more often: "no, no, no" is speech. */
const MAX_SHORT_REPETITIONS = 8;

/** How many tokens at the end only repeat those before them; 0 unless the decoder is in a loop. */
export function loopedTokens(tokens: readonly number[]): number {
  for (let phrase = 1; phrase <= MAX_PHRASE; phrase++) {
    const limit = phrase <= 2 ? MAX_SHORT_REPETITIONS : MAX_REPETITIONS;
    if (tokens.length < phrase * limit) break;
    let equal = 0;
    while (equal + phrase < tokens.length && tokens.at(-1 - equal) === tokens.at(-1 - equal - phrase)) equal++;
    if (equal >= phrase * (limit - 1)) return equal;
  }
  return 0;
}
