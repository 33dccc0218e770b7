import type { UsageReport, UsageRow } from "@parlance/protocol";

const LABELS: Readonly<Record<UsageReport["group_by"], readonly (keyof UsageRow)[]>> = {
  day: ["day"],
  key: ["key_id", "key_name", "key_prefix"],
  operation: ["operation"],
  user: ["user_id", "user_name", "user_email"],
};
const VALUES: readonly (keyof UsageRow)[] = [
  "requests",
  "characters",
  "audio_seconds",
  "credits",
  "errors_4xx",
  "errors_5xx",
  "first_audio_p50_ms",
  "first_audio_p95_ms",
];

/** The rows of a report as RFC 4180 CSV. */
export function usageCsv({ group_by, rows }: UsageReport): string {
  const columns = [...LABELS[group_by], ...VALUES];
  const lines = [columns.join(","), ...rows.map((row) => columns.map((column) => cell(row[column])).join(","))];
  return `${lines.join("\r\n")}\r\n`;
}

function cell(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  // Spreadsheets evaluate cells that look like formulas, and names of keys are chosen by users.
  const safe = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
