import { z } from "zod";
import { text, textOrNull } from "../wire/record-fields.ts";
import { isDay, OPERATIONS, USAGE_GROUPS, type UsageGroup } from "./usage-values.ts";

const day = z.string().refine(isDay, { message: "Expected a day as YYYY-MM-DD", params: { type: "date_format" } });

function querySchema(groups: readonly [UsageGroup, ...UsageGroup[]]) {
  return z.object({
    from: day.optional().meta({ description: "The first day, in UTC. Left out: 29 days before `to`." }),
    to: day.optional().meta({ description: "The last day, in UTC, which is part of the report. Left out: today." }),
    group_by: z
      .enum(groups, { message: `Expected one of ${groups.join(", ")}` })
      .optional()
      .meta({ description: "What the rows are grouped by.", default: groups[0] }),
    format: z
      .enum(["json", "csv"], { message: "Expected json or csv" })
      .optional()
      .meta({ description: "`csv` returns a table for spreadsheets, as does the header `Accept: text/csv`." }),
  });
}

export const usageQuery = querySchema(["day", "key", "operation"]);
export const adminUsageQuery = querySchema(["user", "day", "key", "operation"]).extend({
  user_id: z.string().max(64).optional().meta({ description: "Only the usage of this user." }),
});
export type UsageQuery = z.input<typeof usageQuery>;
export type AdminUsageQuery = z.input<typeof adminUsageQuery>;

const count = z.int().min(0);
const milliseconds = z.number().min(0).nullable();

/** The numbers of a row. The times to the first audio have an error of up to 5 %, and are null without audio. */
export const usageTotals = z.object({
  requests: count.meta({ description: "Requests, with those that were refused or failed." }),
  characters: count.meta({ description: "Characters of text to speak." }),
  audio_seconds: z.number().min(0).meta({ description: "Audio that was synthesized or, with asr, transcribed." }),
  credits: count.meta({ description: "Credits that were charged." }),
  errors_4xx: count.meta({ description: "Requests that were refused." }),
  errors_5xx: count.meta({ description: "Requests that failed on the server." }),
  first_audio_p50_ms: milliseconds.meta({ description: "Median time to the first audio." }),
  first_audio_p95_ms: milliseconds.meta({ description: "95th percentile of the time to the first audio." }),
});
export type UsageTotals = z.output<typeof usageTotals>;

/** Only the fields of its group are present. */
export const usageRow = usageTotals.extend({
  day: text("The day in UTC, as YYYY-MM-DD.").optional(),
  operation: z.enum(OPERATIONS).optional().meta({ description: "The kind of request." }),
  key_id: z
    .string()
    .nullable()
    .optional()
    .meta({ description: "Null: requests of the dashboard, which uses a session." }),
  key_name: textOrNull("The name of the key.").optional(),
  key_prefix: textOrNull("The first characters of the key.").optional(),
  user_id: text("The id of the account.").optional(),
  user_name: textOrNull("The display name of the account.").optional(),
  user_email: textOrNull("The address of the account.").optional(),
});
export type UsageRow = z.output<typeof usageRow>;

export const usageReport = z.object({
  from: text("The first day, in UTC."),
  to: text("The last day, in UTC, which is part of the report."),
  group_by: z.enum(USAGE_GROUPS).meta({ description: "What the rows are grouped by." }),
  rows: z.array(usageRow).meta({ description: "One for each group that has requests." }),
  total: usageTotals.meta({ description: "The sums of all rows." }),
});
export type UsageReport = z.output<typeof usageReport>;
