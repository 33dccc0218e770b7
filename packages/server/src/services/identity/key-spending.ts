import { apiError, type KeyLimits } from "@parlance/protocol";
import type { KeySpendingRecord } from "../../stores/key-spending.ts";
import type { Records } from "../../stores/store.ts";

/** The key that pays for a request, with its own limits. */
export interface PayingKey {
  readonly keyId: string;
  readonly limits: KeyLimits | undefined;
}

/** Credits used today, this month and in all, with those that are reserved. */
export interface KeySpending {
  readonly day: number;
  readonly month: number;
  readonly total: number;
}

const PERIODS = [
  { limit: "credits_per_day", spent: "day", period: "a day" },
  { limit: "credits_per_month", spent: "month", period: "a month" },
  { limit: "credits_total", spent: "total", period: "in all" },
] as const;

/** Days and months are those of UTC. */
export function spentAt(record: KeySpendingRecord | undefined, at: string): KeySpending {
  return {
    day: record?.day === dayOf(at) ? record.dayCredits : 0,
    month: record?.month === monthOf(at) ? record.monthCredits : 0,
    total: record?.totalCredits ?? 0,
  };
}

/** Throws the 402 that names the key's own limit when the cost is over one of them. */
export function assertWithinKey(limits: KeyLimits | undefined, spent: KeySpending, cost: number): void {
  for (const { limit: name, spent: counted, period } of PERIODS) {
    const limit = limits?.[name];
    if (limit === undefined || spent[counted] + cost <= limit) continue;
    throw apiError("key_credit_limited", { limit, period, cost, left: Math.max(0, limit - spent[counted]) });
  }
}

/** Counts the credits of a reservation, or throws the 402. The lock on the wallet keeps two from counting the same state. */
export async function spendFromKey(
  { keySpending }: Pick<Records, "keySpending">,
  { keyId, limits }: PayingKey,
  credits: number,
  at: string,
): Promise<void> {
  const spent = spentAt(await keySpending.find(keyId), at);
  assertWithinKey(limits, spent, credits);
  await keySpending.put({
    keyId,
    day: dayOf(at),
    dayCredits: spent.day + credits,
    month: monthOf(at),
    monthCredits: spent.month + credits,
    totalCredits: spent.total + credits,
  });
}

/** Gives back what a reservation did not use: to the day and month it was opened in, if they still run. */
export async function returnToKey(
  { keySpending }: Pick<Records, "keySpending">,
  keyId: string,
  credits: number,
  openedAt: string,
): Promise<void> {
  const record = await keySpending.find(keyId);
  if (record === undefined || credits === 0) return;
  const { dayCredits, monthCredits, totalCredits } = record;
  await keySpending.put({
    ...record,
    dayCredits: Math.max(0, dayCredits - (record.day === dayOf(openedAt) ? credits : 0)),
    monthCredits: Math.max(0, monthCredits - (record.month === monthOf(openedAt) ? credits : 0)),
    totalCredits: Math.max(0, totalCredits - credits),
  });
}

function dayOf(at: string): string {
  return at.slice(0, 10);
}

function monthOf(at: string): string {
  return at.slice(0, 7);
}
