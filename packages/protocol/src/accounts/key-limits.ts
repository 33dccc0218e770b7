import { apiError } from "../wire/api-error.ts";

/** The limits that a key may have of its own, beside those of its account, and the largest value of each. */
export const KEY_LIMITS = {
  requests_per_minute: 100_000,
  concurrency: 10_000,
  credits_per_day: 1_000_000_000_000,
  credits_per_month: 1_000_000_000_000,
  credits_total: 1_000_000_000_000,
} as const;

export type KeyLimitName = keyof typeof KEY_LIMITS;
export type KeyLimits = { readonly [Name in KeyLimitName]?: number | undefined };

export const KEY_LIMIT_NAMES = Object.keys(KEY_LIMITS) as readonly KeyLimitName[];

/** The limits that are set, or undefined when none is. Throws the 400 for a value that is not allowed. */
export function checkKeyLimits(
  given: { readonly [Name in KeyLimitName]?: number | null | undefined },
  fieldOf: (name: KeyLimitName) => string = (name) => `limits.${name}`,
): KeyLimits | undefined {
  const set = KEY_LIMIT_NAMES.flatMap((name): [KeyLimitName, number][] => {
    const value = given[name];
    if (value === undefined || value === null) return [];
    if (Number.isInteger(value) && value >= 1 && value <= KEY_LIMITS[name]) return [[name, value]];
    const allowed = `it must be an integer from 1 to ${KEY_LIMITS[name]}`;
    throw apiError("invalid_value", { field: fieldOf(name), value: String(value), allowed });
  });
  return set.length === 0 ? undefined : Object.fromEntries(set);
}
