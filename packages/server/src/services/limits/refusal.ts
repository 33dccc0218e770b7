import { type ApiError, apiError } from "@parlance/protocol";
import type { Grant, LimitRules } from "./quota-counter.ts";
import type { RateState } from "./rate-buckets.ts";

/** What a grant says of the limits of an account, or of one of its keys. */
export type Quota = Pick<Grant, "running" | "rate"> & { readonly rules: LimitRules };

/** The response headers of `ratelimit-` that clients read today, for admitted and refused requests alike. */
export function limitHeaders({ rules, running, rate }: Quota): Readonly<Record<string, string>> {
  return {
    ...(rules.isInternal === true
      ? {}
      : {
          "ratelimit-limit-concurrency": String(rules.concurrency),
          "ratelimit-current-concurrency": String(running),
        }),
    ...(rate === undefined
      ? {}
      : {
          "ratelimit-limit": String(rate.limit),
          "ratelimit-remaining": String(rate.remaining),
          "ratelimit-reset": String(Math.ceil(rate.fullMs / 1000)),
        }),
  };
}

export interface Quotas {
  readonly account?: Quota | undefined;
  readonly key?: Quota | undefined;
}

/** By draft-ietf-httpapi-ratelimit-headers-11: each quota by its name, as lists of structured fields. */
export function draftHeaders({ account, key }: Quotas): Readonly<Record<string, string>> {
  const items = [...itemsOf("", account), ...itemsOf("key-", key)];
  if (items.length === 0) return {};
  const list = (of: "policy" | "state"): string => items.map(({ name, ...item }) => `"${name}";${item[of]}`).join(", ");
  return { "ratelimit-policy": list("policy"), ratelimit: list("state") };
}

function* itemsOf(prefix: string, quota: Quota | undefined) {
  if (quota === undefined) return;
  const { rules, running, rate } = quota;
  if (rules.isInternal !== true) {
    const policy = `q=${rules.concurrency};qu="concurrent-requests"`;
    yield { name: `${prefix}concurrency`, policy, state: `r=${Math.max(0, rules.concurrency - running)}` };
  }
  if (rate !== undefined) {
    const state = `r=${rate.remaining};t=${effectiveWindow(rate)}`;
    yield { name: `${prefix}rate`, policy: `q=${rate.limit};w=60`, state };
  }
}

/**
 * Seconds over which a client has to spread what remains, so that it never needs more than the bucket gives. With nothing left,
 * the time until the next request may start: the draft wants no `retry-after` that is shorter than this window.
 */
function effectiveWindow({ limit, remaining, nextMs }: RateState): number {
  return Math.ceil(Math.max(nextMs / 1000, (60 * remaining) / limit));
}

export type Refusal = (rules: LimitRules, grant: Grant) => ApiError;

/** The 429 of an account. Names the limit that takes longer to pass. */
export const accountRefusal: Refusal = (rules, grant) =>
  refusalOf("account", { ...grant, rules }, "rate_limited", "concurrency_limited");

/** The same for the own limits of a key. */
export const keyRefusal: Refusal = (rules, grant) =>
  refusalOf("key", { ...grant, rules }, "key_rate_limited", "key_concurrency_limited");

function refusalOf(
  of: keyof Quotas,
  quota: Quota,
  overRate: "rate_limited" | "key_rate_limited",
  overConcurrency: "concurrency_limited" | "key_concurrency_limited",
): ApiError {
  const { rate, rules } = quota;
  const headers = { ...limitHeaders(quota), ...draftHeaders({ [of]: quota }) };
  if (rate !== undefined && rate.remaining === 0) {
    const retryAfterSeconds = Math.max(1, Math.ceil(rate.nextMs / 1000));
    return apiError(overRate, { limit: rate.limit }, { retryAfterSeconds, headers });
  }
  return apiError(overConcurrency, { limit: rules.concurrency }, { retryAfterSeconds: 1, headers });
}
