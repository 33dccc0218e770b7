import { z } from "zod";
import { isDay, OPERATIONS, USAGE_GROUPS, type UsageGroup } from "./usage-values.ts";

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
