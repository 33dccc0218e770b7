/**
 * Where a client is in audio that it plays as it comes. An estimate: the client itself knows better, and may say so with
 * `conversation.item.truncate`.
 */
export interface Playback {
  /** More audio was sent. */
  sent(seconds: number): void;
  /** Seconds that were sent. */
  readonly total: number;
  /** Seconds that can have been played by now. */
  readonly played: number;
}

export function createPlayback(now: () => number = () => performance.now()): Playback {
  let total = 0;
  /** When the last sample will have been played. */
  let endsAt = 0;
  return {
    sent(seconds) {
      endsAt = Math.max(endsAt, now()) + seconds * 1000;
      total += seconds;
    },
    get total() {
      return total;
    },
    get played() {
      return Math.max(0, total - Math.max(0, endsAt - now()) / 1000);
    },
  };
}
