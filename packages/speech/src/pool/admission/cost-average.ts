/** A moving average of a ratio, such as busy seconds per second of audio. */
export interface CostAverage {
  readonly value: number;
  add(amount: number, per: number): void;
}

export interface CostAverageOptions {
  /** The assumption before anything was measured, and its weight (in units of `per`). */
  readonly prior: number;
  readonly priorWeight: number;
  /** After this much (in units of `per`) a measurement counts half. */
  readonly halfLife: number;
}

export function createCostAverage({ prior, priorWeight, halfLife }: CostAverageOptions): CostAverage {
  let amounts = prior * priorWeight;
  let units = priorWeight;
  return {
    get value() {
      return amounts / units;
    },
    add(amount, per) {
      if (!(per > 0) || !(amount >= 0) || !Number.isFinite(amount + per)) return;
      const kept = 0.5 ** (per / halfLife);
      amounts = amounts * kept + amount;
      units = units * kept + per;
    },
  };
}

/** Before it was measured: PCM at 24 kHz takes this of a core at 2.5 GHz. With less, a fast cluster would start too many. */
const LOOP_COST = 0.01;
/** A measurement needs at least this much speech, within this time. */
const MIN_SECONDS = 5;
const MAX_WINDOW_MS = 5_000;

/**
 * Seconds of work of the event loop (reading texts, encoding, sending) per second of speech. Only measured while much is
 * spoken: otherwise the loop's other work would be counted.
 */
export function createEventLoopCost(
  now: () => number,
  activeMs: () => number,
): { readonly value: number; add(audioSeconds: number): void } {
  const average = createCostAverage({ prior: LOOP_COST, priorWeight: 10, halfLife: 120 });
  let since = { at: now(), active: activeMs() };
  let audio = 0;
  return {
    get value() {
      return average.value;
    },
    add(audioSeconds) {
      audio += audioSeconds;
      const [at, active] = [now(), activeMs()];
      const expired = at - since.at > MAX_WINDOW_MS;
      if (!expired && audio < MIN_SECONDS) return;
      if (!expired) average.add((active - since.active) / 1000, audio);
      since = { at, active };
      audio = 0;
    },
  };
}
