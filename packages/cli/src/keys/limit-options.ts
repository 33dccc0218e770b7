import { checkKeyLimits, type KeyLimits } from "@parlance/protocol/values";
import type { Command } from "commander";
import { UsageError } from "../errors.ts";

export interface LimitOptions {
  readonly requestsPerMinute?: string;
  readonly concurrency?: string;
  readonly creditsPerDay?: string;
  readonly creditsPerMonth?: string;
  readonly creditsTotal?: string;
}

export function addLimitOptions(command: Command): void {
  command
    .option("--requests-per-minute <number>", "requests that may start in a minute")
    .option("--concurrency <number>", "requests at a time")
    .option("--credits-per-day <number>", "credits in a day, in UTC")
    .option("--credits-per-month <number>", "credits in a calendar month, in UTC")
    .option("--credits-total <number>", "credits in all");
}

/** Undefined when no limit is given. */
export function parseLimits(options: LimitOptions): KeyLimits | undefined {
  const given = {
    requests_per_minute: numberOf(options.requestsPerMinute),
    concurrency: numberOf(options.concurrency),
    credits_per_day: numberOf(options.creditsPerDay),
    credits_per_month: numberOf(options.creditsPerMonth),
    credits_total: numberOf(options.creditsTotal),
  };
  try {
    return checkKeyLimits(given, (name) => `--${name.replaceAll("_", "-")}`);
  } catch (error) {
    throw error instanceof Error ? new UsageError(error.message) : error;
  }
}

/** `60/min, 20000 credits/day`, or `none`. */
export function describeLimits(limits: KeyLimits | null): string {
  const words = Object.entries(limits ?? {}).map(([name, value]) => WORDS[name]?.(value ?? 0) ?? "");
  return words.length === 0 ? "none" : words.join(", ");
}

const WORDS: Readonly<Record<string, (value: number) => string>> = {
  requests_per_minute: (value) => `${value}/min`,
  concurrency: (value) => `${value} at a time`,
  credits_per_day: (value) => `${value} credits/day`,
  credits_per_month: (value) => `${value} credits/month`,
  credits_total: (value) => `${value} credits in all`,
};

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
}
