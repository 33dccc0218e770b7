/** What a stream still wants of the machine so that its listener never waits. */
export interface Need {
  /** How much of the whole machine is busy while it makes one second of this audio in one second. */
  readonly share: number;
  /** Seconds that the listener has and has not played yet. */
  readonly ahead: number;
  /** Seconds of audio that are still to be made. */
  readonly left: number;
}

/**
 * Whether all of them can be kept ahead of their playback with this part of the machine, if whoever runs dry first is
 * served first: at no time may more be due than could have been made by then. Something is due from when a listener
 * runs dry to the end of his text, and most is due for the time when one of the texts ends.
 */
export function fits(needs: readonly Need[], part: number): boolean {
  const turns = needs
    .filter((need) => need.left > 0)
    .flatMap(({ share, ahead, left }) => [
      { at: ahead, change: share },
      { at: ahead + left, change: -share },
    ])
    .sort((a, b) => a.at - b.at || b.change - a.change);
  let due = 0;
  let slope = 0;
  let time = 0;
  for (const { at, change } of turns) {
    due += slope * (at - time);
    time = at;
    if (change < 0 && due > part * time + 1e-9) return false;
    slope += change;
  }
  return true;
}

/** What is promised to those who are let in. */
export interface Promised {
  /** The part of the machine that may be promised for as long as their texts last. */
  readonly part: number;
  /**
   * Work comes in lumps, so a stream is safe only with some seconds in hand. All are to have this much, this soon, if
   * nobody else came: otherwise many who begin together are all close to dry, and each lump is heard.
   */
  readonly lead: number;
  readonly within: number;
}

/** Whether the promise can be kept to all of them. */
export function hasRoom(needs: readonly Need[], { part, lead, within: soon }: Promised): boolean {
  const first = needs.reduce((sum, { share, ahead, left }) => sum + share * within(soon + lead - ahead, 0, left), 0);
  return first <= soon && fits(needs, part);
}

/** The same streams after some time in which this part of the machine worked for them. */
export function later(needs: readonly Need[], seconds: number, part: number): Need[] {
  const dueOf = ({ share, ahead, left }: Need): number => share * within(seconds - ahead, 0, left);
  const capacity = part * seconds;
  const due = needs.reduce((sum, need) => sum + dueOf(need), 0);
  const work = needs.reduce((sum, need) => sum + need.share * need.left, 0);
  // First what keeps them from running dry; what is left over goes to all alike.
  const urgent = due > 0 ? Math.min(1, capacity / due) : 0;
  const rest = work > due ? within((capacity - due) / (work - due), 0, 1) : 0;
  return needs.map((need) => {
    const mustHave = dueOf(need);
    const given = mustHave * urgent + (need.share * need.left - mustHave) * rest;
    const made = need.share > 0 ? given / need.share : need.left;
    return {
      share: need.share,
      ahead: Math.max(0, need.ahead + made - seconds),
      left: Math.max(0, need.left - made),
    };
  });
}

export interface RoomQuestion {
  readonly running: readonly Need[];
  readonly newcomer: Need;
  /** When others were told to come back, in seconds from now: they will take room too. */
  readonly expected: readonly number[];
  readonly promised: Promised;
  readonly mostSeconds: number;
}

/** Whole seconds until the newcomer is likely to find room; `mostSeconds` when that is further away. */
export function secondsUntilRoom({ running, newcomer, expected, promised, mostSeconds }: RoomQuestion): number {
  let needs: readonly Need[] = running;
  for (let second = 1; second < mostSeconds; second++) {
    const back = expected.filter((at) => at > second - 1 && at <= second).map(() => newcomer);
    // Work is done as fast as it is read, so more than the promised part of the machine is in use.
    needs = [...later(needs, 1, 1).filter((need) => need.left > 0), ...back];
    if (needs.length === 0 || hasRoom([...needs, newcomer], promised)) return second;
  }
  return mostSeconds;
}

function within(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
