/** A phrase of up to this many tokens that comes again and again is a loop, */
const LONGEST_PHRASE = 24;
/** when it stands this many times in a row, and for single tokens more often: "no, no, no" is speech. */
const MOST_TIMES = 4;
const MOST_TIMES_SINGLE = 8;

/** How many tokens at the end only repeat what stands before them; 0 unless the writer is lost in a loop. */
export function loopedTokens(tokens: readonly number[]): number {
  for (let phrase = 1; phrase <= LONGEST_PHRASE; phrase++) {
    const most = phrase <= 2 ? MOST_TIMES_SINGLE : MOST_TIMES;
    if (tokens.length < phrase * most) break;
    let equal = 0;
    while (equal + phrase < tokens.length && tokens.at(-1 - equal) === tokens.at(-1 - equal - phrase)) equal++;
    if (equal >= phrase * (most - 1)) return equal;
  }
  return 0;
}
