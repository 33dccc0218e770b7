/** What is counted, each on its own. A round on a live socket is one request. */
export const OPERATIONS = ["tts", "live", "asr"] as const;
export type Operation = (typeof OPERATIONS)[number];

/** What a row of a report stands for. Only admins see users. */
export const USAGE_GROUPS = ["day", "key", "operation", "user"] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

/** The days that one report may cover. */
export const MAX_USAGE_DAYS = 3660;
const USUAL_DAYS = 30;
const DAY_MS = 86_400_000;

/** The days of a report: those that were asked for, or the last thirty. Undefined when they make no sense. */
export function usageDays(
  query: { readonly from?: string | undefined; readonly to?: string | undefined },
  now: number,
): { readonly from: string; readonly to: string } | undefined {
  const to = query.to ?? dayOf(Math.max(now, query.from === undefined ? 0 : Date.parse(query.from)));
  const from = query.from ?? dayOf(Date.parse(to) - (USUAL_DAYS - 1) * DAY_MS);
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  return days >= 1 && days <= MAX_USAGE_DAYS ? { from, to } : undefined;
}

/** The day of a moment, in UTC. */
export function dayOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}

/** Whether it is a day as YYYY-MM-DD that there is. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const time = Date.parse(text);
  // 30 February is read as 2 March.
  return !Number.isNaN(time) && dayOf(time) === text;
}
