import { clamp } from "../../lib/clamp.ts";

/** What a stream still needs of the machine so that its playback never stalls. */
export interface StreamNeed {
  /** The share of the machine that is busy while it makes one second of this audio in one second. */
  readonly share: number;
  /** Seconds of audio that the client has and has not played yet. */
  readonly ahead: number;
  /** Seconds of audio that are still to be made. */
  readonly left: number;
}

/**
 * Whether all streams can be kept ahead of their playback with this share of the machine under earliest deadline first: at
 * no time may more audio be due than could have been made by then. Audio of a stream is due from the moment that its buffer
 * runs empty to the end of its text, so it is enough to check the times at which a text ends.
 */
export function isSchedulable(needs: readonly StreamNeed[], capacity: number): boolean {
  const changes = needs
    .filter((need) => need.left > 0)
    .flatMap(({ share, ahead, left }) => [
      { at: ahead, change: share },
      { at: ahead + left, change: -share },
    ])
    .sort((a, b) => a.at - b.at || b.change - a.change);
  let due = 0;
  let rate = 0;
  let time = 0;
  for (const { at, change } of changes) {
    due += rate * (at - time);
    time = at;
    if (change < 0 && due > capacity * time + 1e-9) return false;
    rate += change;
  }
  return true;
}

/** What admission guarantees to the streams that it accepts. */
export interface Guarantee {
  /** The share of the machine that may be reserved for the whole length of their texts. */
  readonly capacity: number;
  /**
   * Work comes in windows, so a stream is only safe with some seconds of lead. All streams must be able to reach this lead
   * within this time; otherwise many that start together would all run close to empty, and every window would be audible.
   */
  readonly lead: number;
  readonly within: number;
}

/** Whether the guarantee can be kept for all of the streams. */
export function hasCapacity(needs: readonly StreamNeed[], { capacity, lead, within }: Guarantee): boolean {
  const first = needs.reduce((sum, { share, ahead, left }) => sum + share * clamp(within + lead - ahead, 0, left), 0);
  return first <= within && isSchedulable(needs, capacity);
}

/** The needs of the same streams after some time in which this share of the machine worked for them. */
export function needsAfter(needs: readonly StreamNeed[], seconds: number, capacity: number): StreamNeed[] {
  const dueOf = ({ share, ahead, left }: StreamNeed): number => share * clamp(seconds - ahead, 0, left);
  const available = capacity * seconds;
  const due = needs.reduce((sum, need) => sum + dueOf(need), 0);
  const work = needs.reduce((sum, need) => sum + need.share * need.left, 0);
  // What is due comes first; the rest of the capacity is shared evenly.
  const urgent = due > 0 ? Math.min(1, available / due) : 0;
  const rest = work > due ? clamp((available - due) / (work - due), 0, 1) : 0;
  return needs.map((need) => {
    const ownDue = dueOf(need);
    const given = ownDue * urgent + (need.share * need.left - ownDue) * rest;
    const made = need.share > 0 ? given / need.share : need.left;
    return {
      share: need.share,
      ahead: Math.max(0, need.ahead + made - seconds),
      left: Math.max(0, need.left - made),
    };
  });
}

/** Whether a new stream needs as much as another one in every respect, so that it does not fit where that one did not. */
export function isAtLeast(need: StreamNeed, other: StreamNeed): boolean {
  return need.share >= other.share && need.left >= other.left && need.ahead <= other.ahead;
}
