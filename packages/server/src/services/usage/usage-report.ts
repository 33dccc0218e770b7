import { OPERATIONS, type UsageGroup, type UsageReport, type UsageRow, type UsageTotals } from "@parlance/protocol";
import { batchesOf } from "../../lib/batches.ts";
import type { Records } from "../../stores/store.ts";
import type { UsageRecord } from "../../stores/usage.ts";
import { quantileOf, unpackHistogram } from "../../stores/usage-histogram.ts";
import { addToSum, newSum, type UsageSum } from "./usage-sum.ts";

export interface ReportRequest {
  readonly from: string;
  readonly to: string;
  readonly groupBy: UsageGroup;
  /** Left out: all accounts. */
  readonly userId?: string | undefined;
}

/** Read in pages, so that a long report does not block other queries. */
const PAGE = 2_000;
const NAMES_AT_ONCE = 500;

/** Sums usage by day, key, operation or account, sorted by that. */
export async function reportUsage(
  records: Pick<Records, "usage">,
  { from, to, groupBy, userId }: ReportRequest,
): Promise<UsageReport> {
  const sums = new Map<string, UsageSum>();
  const total = newSum();
  let after: UsageRecord | undefined;
  do {
    const page = await records.usage.page({ from, to, userId, after, limit: PAGE });
    for (const record of page) {
      const name = nameOf(record, groupBy);
      const sum = sums.get(name) ?? newSum();
      sums.set(name, sum);
      const firstAudio = unpackHistogram(record.firstAudio);
      addToSum(sum, record, firstAudio);
      addToSum(total, record, firstAudio);
    }
    after = page.length < PAGE ? undefined : page.at(-1);
  } while (after !== undefined);
  const labels = await labelsOf(records, [...sums.keys()], groupBy);
  const rows = [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, sum]): UsageRow => ({ ...labels(name), ...totalsOf(sum) }));
  return { from, to, group_by: groupBy, rows, total: totalsOf(total) };
}

function totalsOf(sum: UsageSum): UsageTotals {
  return {
    requests: sum.requests,
    characters: sum.characters,
    audio_seconds: sum.audioMs / 1000,
    credits: sum.credits,
    errors_4xx: sum.refused,
    errors_5xx: sum.failed,
    first_audio_p50_ms: quantileOf(sum.firstAudio, 0.5),
    first_audio_p95_ms: quantileOf(sum.firstAudio, 0.95),
  };
}

function nameOf(record: UsageRecord, groupBy: UsageGroup): string {
  return { day: record.day, key: record.keyId, operation: record.operation, user: record.userId }[groupBy];
}

type Labels = Omit<UsageRow, keyof UsageTotals>;

async function labelsOf(
  { usage }: Pick<Records, "usage">,
  names: readonly string[],
  groupBy: UsageGroup,
): Promise<(name: string) => Labels> {
  if (groupBy === "day") return (day) => ({ day });
  if (groupBy === "operation") return (name) => ({ operation: OPERATIONS.find((each) => each === name) });
  if (groupBy === "key") {
    const keys = new Map((await inBatches(names, usage.keysOf)).map((key) => [key.id, key]));
    return (id) => {
      const key = keys.get(id);
      return { key_id: id === "" ? null : id, key_name: key?.name ?? null, key_prefix: key?.prefix ?? null };
    };
  }
  const known = new Map((await inBatches(names, usage.usersOf)).map((user) => [user.id, user]));
  return (id) => {
    const user = known.get(id);
    return { user_id: id, user_name: user?.name ?? null, user_email: user?.email ?? null };
  };
}

async function inBatches<Found>(
  ids: readonly string[],
  find: (ids: readonly string[]) => Promise<readonly Found[]>,
): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const batch of batchesOf(ids, NAMES_AT_ONCE)) found.push(...(await find(batch)));
  return found;
}
