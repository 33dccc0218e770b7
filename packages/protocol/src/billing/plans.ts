/** The plans of accounts; also the `type` of the package. */
export const PLAN_NAMES = ["free", "plus", "pro", "unlimited"] as const;
export type PlanName = (typeof PLAN_NAMES)[number];

export interface PlanRules {
  /** Credits that the package holds at the start of each period. */
  readonly credits: number;
  /** Concurrent requests, over all keys of the account. */
  readonly concurrency: number;
  /** 0: no limit. */
  readonly requestsPerMinute: number;
}

export type Plans = Readonly<Record<PlanName, PlanRules>>;

/**
 * The defaults; operators can change them. The unlimited package is too large to be used up, so that the same rules
 * apply to it as to the others.
 */
export const DEFAULT_PLANS: Plans = {
  free: { credits: 100_000, concurrency: 5, requestsPerMinute: 600 },
  plus: { credits: 1_000_000, concurrency: 10, requestsPerMinute: 1_200 },
  pro: { credits: 10_000_000, concurrency: 20, requestsPerMinute: 3_000 },
  unlimited: { credits: 1_000_000_000_000, concurrency: 50, requestsPerMinute: 0 },
};
