/** A month for which the package is filled once. */
export interface Period {
  readonly start: string;
  readonly end: string;
}

/** The period that contains `now`. Periods follow each other from `anchor`, each a month long. */
export function periodAt(anchor: string, now: number): Period {
  const from = new Date(anchor);
  const to = new Date(now);
  const months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  // The period may begin later in the month of `now`. Before the anchor there is no period: the first one is used.
  const index = Math.max(0, addMonths(anchor, months) <= to.toISOString() ? months : months - 1);
  return { start: addMonths(anchor, index), end: addMonths(anchor, index + 1) };
}

/** The same day and time in a later month, or the last day of that month if it is shorter. */
export function addMonths(time: string, months: number): string {
  const date = new Date(time);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return date.toISOString();
}
