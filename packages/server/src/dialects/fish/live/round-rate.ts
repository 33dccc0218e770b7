/**
 * Bounds the rounds of a socket that give no audio: those that were replaced, failed or had no text. Each costs the
 * server a few queries and the client nothing.
 */
export interface RoundRate {
  /** A round ended. False when the socket has had too many without audio. */
  ended(gaveAudio: boolean): boolean;
  /** How long to wait before the next round, in milliseconds. Text that arrives meanwhile becomes part of it. */
  readonly delayMs: number;
}

const MAX_ROUNDS = 20;
const ROUNDS_PER_SECOND = 1;
const FIRST_DELAY_MS = 50;
const MAX_DELAY_MS = 1_000;

export function createRoundRate(now: () => number = () => performance.now()): RoundRate {
  let left = MAX_ROUNDS;
  let at = now();
  let failures = 0;
  return {
    ended(gaveAudio) {
      const time = now();
      left = Math.min(MAX_ROUNDS, left + ((time - at) / 1000) * ROUNDS_PER_SECOND);
      at = time;
      failures = gaveAudio ? 0 : failures + 1;
      if (!gaveAudio) left -= 1;
      return left >= 0;
    },
    get delayMs() {
      return failures === 0 ? 0 : Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - 1));
    },
  };
}
