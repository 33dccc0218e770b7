import type { ApiKeyInfo } from "@parlance/protocol";
import { formatNumber } from "../../lib/format.ts";

/** The limits of a key in short, with what is used of its credits. */
export function LimitSummary({ limits, spent }: Pick<ApiKeyInfo, "limits" | "spent">) {
  const credits = (used: number, limit: number | null | undefined, period: string) =>
    limit ? [`${formatNumber(used)} of ${formatNumber(limit)} credits ${period}`] : [];
  const lines = [
    ...(limits?.requests_per_minute ? [`${formatNumber(limits.requests_per_minute)} per minute`] : []),
    ...(limits?.concurrency ? [`${formatNumber(limits.concurrency)} at a time`] : []),
    ...credits(spent.day, limits?.credits_per_day, "today"),
    ...credits(spent.month, limits?.credits_per_month, "this month"),
    ...credits(spent.total, limits?.credits_total, "in all"),
  ];
  if (lines.length === 0) return <span className="soft">none</span>;
  return lines.map((line) => (
    <span key={line} className="line">
      {line}
    </span>
  ));
}
