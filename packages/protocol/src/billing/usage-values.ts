/** The kinds of requests that are counted. A round on a live socket is one request. */
export const OPERATIONS = ["tts", "live", "asr"] as const;
export type Operation = (typeof OPERATIONS)[number];

/** What the rows of a report are grouped by. `user` is for admins. */
export const USAGE_GROUPS = ["day", "key", "operation", "user"] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

/** The maximum number of days of one report. */
export const MAX_USAGE_DAYS = 3660;
const DEFAULT_DAYS = 30;
const DAY_MS = 86_400_000;

/** The days of a report: those of the query, by default the last thirty. Undefined when they are invalid. */
export function usageDays(
  query: { readonly from?: string | undefined; readonly to?: string | undefined },
  now: number,
): { readonly from: string; readonly to: string } | undefined {
  const to = query.to ?? dayOf(Math.max(now, query.from === undefined ? 0 : Date.parse(query.from)));
  const from = query.from ?? dayOf(Date.parse(to) - (DEFAULT_DAYS - 1) * DAY_MS);
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  return days >= 1 && days <= MAX_USAGE_DAYS ? { from, to } : undefined;
}

/** The UTC day of a time. */
export function dayOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}

/** Whether it is an existing day, written as YYYY-MM-DD. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const time = Date.parse(text);
  // `Date.parse` reads 30 February as 2 March.
  return !Number.isNaN(time) && dayOf(time) === text;
}
