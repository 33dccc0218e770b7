import { z } from "zod";

/** What is counted, each on its own. A round on a live socket is one request. */
export const OPERATIONS = ["tts", "live", "asr"] as const;
export type Operation = (typeof OPERATIONS)[number];

/** What a row of a report stands for. Only admins see users. */
export const USAGE_GROUPS = ["day", "key", "operation", "user"] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

/** The days that one report may cover. */
export const MOST_USAGE_DAYS = 3660;
const USUAL_DAYS = 30;
const DAY_MS = 86_400_000;

const day = z.string().refine(isDay, { message: "Expected a day as YYYY-MM-DD", params: { type: "date_format" } });

function querySchema(groups: readonly [UsageGroup, ...UsageGroup[]]) {
  return z.object({
    from: day.optional().meta({ description: "The first day, in UTC. Left out: 29 days before `to`." }),
    to: day.optional().meta({ description: "The last day, in UTC, which is part of the report. Left out: today." }),
    group_by: z
      .enum(groups, { message: `Expected one of ${groups.join(", ")}` })
      .optional()
      .meta({ description: "What each row stands for.", default: groups[0] }),
    format: z
      .enum(["json", "csv"], { message: "Expected json or csv" })
      .optional()
      .meta({ description: "`csv` answers with a table for spreadsheets, as does the header `Accept: text/csv`." }),
  });
}

export const usageQuery = querySchema(["day", "key", "operation"]);
export const adminUsageQuery = querySchema(["user", "day", "key", "operation"]).extend({
  user_id: z.string().max(64).optional().meta({ description: "Only this user's." }),
});
export type UsageQuery = z.input<typeof usageQuery>;
export type AdminUsageQuery = z.input<typeof adminUsageQuery>;

const count = z.int().min(0);
const milliseconds = z.number().min(0).nullable();

/** The numbers of a row. The times to the first audio are right to 5 %, and null where nothing was heard. */
export const usageFigures = z.object({
  requests: count,
  characters: count.meta({ description: "Characters of text that were given to be spoken." }),
  audio_seconds: z.number().min(0).meta({ description: "Audio that was made or, with asr, listened to." }),
  credits: count.meta({ description: "Credits that were charged." }),
  errors_4xx: count.meta({ description: "Requests that were refused." }),
  errors_5xx: count.meta({ description: "Requests that failed by a fault of the server." }),
  first_audio_p50_ms: milliseconds.meta({ description: "Half of the requests were heard sooner." }),
  first_audio_p95_ms: milliseconds.meta({ description: "19 of 20 requests were heard sooner." }),
});
export type UsageFigures = z.output<typeof usageFigures>;

/** Has the fields of what it was grouped by, and only those. */
export const usageRow = usageFigures.extend({
  day: z.string().optional(),
  operation: z.enum(OPERATIONS).optional(),
  key_id: z.string().nullable().optional().meta({ description: "Null: the dashboard, which needs no key." }),
  key_name: z.string().nullable().optional(),
  key_prefix: z.string().nullable().optional(),
  user_id: z.string().optional(),
  user_name: z.string().nullable().optional(),
  user_email: z.string().nullable().optional(),
});
export type UsageRow = z.output<typeof usageRow>;

export const usageReport = z.object({
  from: z.string(),
  to: z.string(),
  group_by: z.enum(USAGE_GROUPS),
  rows: z.array(usageRow),
  total: usageFigures,
});
export type UsageReport = z.output<typeof usageReport>;

/** The days of a report: those that were asked for, or the last thirty. Undefined when they make no sense. */
export function usageDays(
  query: { readonly from?: string | undefined; readonly to?: string | undefined },
  now: number,
): { readonly from: string; readonly to: string } | undefined {
  const to = query.to ?? dayOf(Math.max(now, query.from === undefined ? 0 : Date.parse(query.from)));
  const from = query.from ?? dayOf(Date.parse(to) - (USUAL_DAYS - 1) * DAY_MS);
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  return days >= 1 && days <= MOST_USAGE_DAYS ? { from, to } : undefined;
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
