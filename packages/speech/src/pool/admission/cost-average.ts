/** How much of one thing there is for one of another, from what was seen lately. */
export interface Measure {
  readonly value: number;
  add(amount: number, per: number): void;
}

export interface MeasureOptions {
  /** What to believe before anything was seen, and how much (in units of `per`). */
  readonly prior: number;
  readonly belief: number;
  /** What lies this far back (in units of `per`) counts half. */
  readonly halfLife: number;
}

export function createMeasure({ prior, belief, halfLife }: MeasureOptions): Measure {
  let amounts = prior * belief;
  let pers = belief;
  return {
    get value() {
      return amounts / pers;
    },
    add(amount, per) {
      if (!(per > 0) || !(amount >= 0) || !Number.isFinite(amount + per)) return;
      const kept = 0.5 ** (per / halfLife);
      amounts = amounts * kept + amount;
      pers = pers * kept + per;
    },
  };
}

/** Windows of time in which less was spoken than this say little of what speech costs the event loop. */
const LEAST_SECONDS = 5;
const LONGEST_WINDOW_MS = 5_000;

/**
 * What a second of speech costs the one thread that reads texts, encodes and sends, in seconds. Only counted while much
 * is spoken: otherwise it is other work that is measured.
 */
export function createLoopMeasure(
  now: () => number,
  activeMs: () => number,
): { readonly value: number; spoken(audioSeconds: number): void } {
  const measure = createMeasure({ prior: 0.005, belief: 10, halfLife: 120 });
  let since = { at: now(), active: activeMs() };
  let audio = 0;
  return {
    get value() {
      return measure.value;
    },
    spoken(audioSeconds) {
      audio += audioSeconds;
      const [at, active] = [now(), activeMs()];
      const isOld = at - since.at > LONGEST_WINDOW_MS;
      if (!isOld && audio < LEAST_SECONDS) return;
      if (!isOld) measure.add((active - since.active) / 1000, audio);
      since = { at, active };
      audio = 0;
    },
  };
}
