import type { UsageReport, UsageRow } from "@parlance/protocol";
import { isDay, MAX_USAGE_DAYS, USAGE_GROUPS, type UsageGroup, usageDays } from "@parlance/protocol/values";
import { type Command, Option } from "commander";
import type { Context } from "../context.ts";
import { noSuchUser, UsageError } from "../errors.ts";
import { printable } from "../printable.ts";
import { formatTable } from "../table.ts";

interface UsageOptions {
  readonly from?: string;
  readonly to?: string;
  readonly by: UsageGroup;
  readonly user?: string;
  readonly csv?: boolean;
  readonly json?: boolean;
}

export function addUsage(program: Command, context: Context): void {
  program
    .command("usage")
    .description("show the usage, from the database")
    .option("--from <day>", "the first day, as 2026-05-01; by default 29 days before the last one")
    .option("--to <day>", "the last day; by default today")
    .addOption(new Option("--by <what>", "what the rows are grouped by").choices(USAGE_GROUPS).default("day"))
    .option("--user <id>", "only this user, by id or e-mail address")
    .addOption(new Option("--csv", "print CSV, for spreadsheets").conflicts("json"))
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Examples:
  parlance usage
  parlance usage --by key --user ada@example.org
  parlance usage --from 2026-01-01 --by user --csv > usage.csv

It reads the database of the server (PARLANCE_DATA or PARLANCE_DATABASE_URL), also while the service is running.
FIRST is the time to the first audio: median and 95th percentile.`,
    )
    .action((options: UsageOptions) => showUsage(options, context));
}

async function showUsage(options: UsageOptions, { environment, terminal }: Context): Promise<void> {
  const { openStore, readConfig, reportUsage, usageCsv } = await import("@parlance/server/records");
  for (const day of [options.from, options.to]) {
    if (day !== undefined && !isDay(day)) throw new UsageError(`${day} is not a day: write it as 2026-05-31`);
  }
  const days = usageDays(options, Date.now());
  if (days === undefined)
    throw new UsageError(`from the first day to the last, a report has 1 to ${MAX_USAGE_DAYS} days`);
  const store = await openStore(readConfig(environment).config);
  try {
    const { user } = options;
    const found =
      user === undefined ? undefined : await (user.includes("@") ? findByEmail(user) : store.users.find(user));
    if (user !== undefined && found === undefined) throw noSuchUser(user);
    const report = await reportUsage(store, { ...days, groupBy: options.by, userId: found?.id });
    if (options.json) terminal.print(JSON.stringify(report, null, 2));
    else if (options.csv) terminal.print(usageCsv(report).trimEnd());
    else printTable(report, { terminal });
  } finally {
    await store.close();
  }

  function findByEmail(email: string) {
    return store.users.findByEmail(email.toLowerCase());
  }
}

const HEAD = ["REQUESTS", "CHARACTERS", "AUDIO", "CREDITS", "4XX", "5XX", "FIRST 50%", "95%"];

function printTable(report: UsageReport, { terminal }: Pick<Context, "terminal">): void {
  const name = report.group_by.toUpperCase();
  const cells = (row: UsageRow): readonly string[] => [
    String(row.requests),
    String(row.characters),
    `${row.audio_seconds.toFixed(1)} s`,
    String(row.credits),
    String(row.errors_4xx),
    String(row.errors_5xx),
    milliseconds(row.first_audio_p50_ms),
    milliseconds(row.first_audio_p95_ms),
  ];
  const rows = report.rows.map((row) => [printable(labelOf(row)), ...cells(row)]);
  const [head = "", ...lines] = formatTable([[name, ...HEAD], ...rows, ["total", ...cells(report.total)]]);
  terminal.print(terminal.resultStyle.bold(head));
  for (const line of lines) terminal.print(line);
  terminal.notify(`From ${report.from} to ${report.to}, days in UTC.`);
}

function labelOf(row: UsageRow): string {
  if (row.day !== undefined) return row.day;
  if (row.operation !== undefined) return row.operation;
  if (row.user_id !== undefined) return row.user_email ?? row.user_name ?? row.user_id;
  return row.key_name ?? row.key_id ?? "(dashboard)";
}

function milliseconds(value: number | null): string {
  return value === null ? "-" : `${Math.round(value)} ms`;
}
