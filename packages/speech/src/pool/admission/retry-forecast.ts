import { type Guarantee, hasCapacity, isAtLeast, needsAfter, type StreamNeed } from "./schedulability.ts";

/** Forecasts when a refused request can be retried. */
export interface RetryForecast {
  /**
   * Whole seconds until the candidate is likely to be accepted, from 1 to the maximum. It is expected to return then, and
   * counts for those who are refused after it.
   */
  next(running: readonly StreamNeed[], candidate: StreamNeed): number;
}

export interface RetryForecastOptions {
  readonly guarantee: Guarantee;
  readonly maxSeconds: number;
  /** In milliseconds. */
  readonly now: () => number;
}

/** A busy node refuses a hundred requests a second. They share a forecast of what the streams will need for this long. */
const FRESH_MS = 500;
/** Refused requests that are expected to return; more are not tracked. */
const MAX_EXPECTED = 512;

export function createRetryForecast({ guarantee, maxSeconds, now }: RetryForecastOptions): RetryForecast {
  let madeAt = Number.NEGATIVE_INFINITY;
  /** What the streams need after each second, with the requests that have returned by then. */
  let steps: StreamNeed[][] = [];
  let expected: { readonly at: number; readonly need: StreamNeed }[] = [];
  let last: { readonly need: StreamNeed; readonly second: number } | undefined;

  function renew(running: readonly StreamNeed[]): void {
    madeAt = now();
    expected = expected.filter(({ at }) => at > madeAt);
    steps = [[...running]];
    last = undefined;
  }

  /** Requests that were given this second, when the forecast was made or before. */
  const returning = (second: number): StreamNeed[] =>
    expected.filter(({ at }) => Math.ceil((at - madeAt) / 1000) === second).map(({ need }) => need);

  function stepOf(second: number): StreamNeed[] {
    for (let next = steps.length; next <= second; next++) {
      // Streams are made as fast as they are read, so the whole machine is in use, not only the guaranteed share.
      const left = needsAfter(steps[next - 1] ?? [], 1, 1).filter((need) => need.left > 0);
      steps.push([...left, ...returning(next)]);
    }
    return steps[second] ?? [];
  }

  return {
    next(running, candidate) {
      if (now() - madeAt >= FRESH_MS) renew(running);
      // What a smaller one did not find, a larger one does not find either.
      const from = last && isAtLeast(candidate, last.need) ? last.second : 1;
      for (let second = from; second < maxSeconds; second++) {
        const needs = stepOf(second);
        if (needs.length > 0 && !hasCapacity([...needs, candidate], guarantee)) continue;
        last = { need: candidate, second };
        if (expected.length >= MAX_EXPECTED) return second;
        expected.push({ at: madeAt + 1000 * second, need: candidate });
        needs.push(candidate);
        // The later steps were made without it.
        steps.length = second + 1;
        return second;
      }
      last = { need: candidate, second: maxSeconds };
      return maxSeconds;
    },
  };
}
