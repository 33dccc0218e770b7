import { type ApiError, apiError } from "@parlance/protocol";
import type { Grant, LimitRules } from "./quota-counter.ts";

/** The response headers that describe the account's limits, for admitted and refused requests alike. */
export function limitHeaders(
  { concurrency }: LimitRules,
  { running, rate }: Pick<Grant, "running" | "rate">,
): Readonly<Record<string, string>> {
  return {
    "ratelimit-limit-concurrency": String(concurrency),
    "ratelimit-current-concurrency": String(running),
    ...(rate === undefined
      ? {}
      : {
          "ratelimit-limit": String(rate.limit),
          "ratelimit-remaining": String(rate.remaining),
          "ratelimit-reset": String(Math.ceil(rate.fullMs / 1000)),
        }),
    ...draftHeaders(concurrency, running, rate),
  };
}

/** The same by draft-ietf-httpapi-ratelimit-headers-10: each quota by its name, as lists of structured fields. */
function draftHeaders(concurrency: number, running: number, rate: Grant["rate"]): Readonly<Record<string, string>> {
  const policies = [`"concurrency";q=${concurrency};qu="concurrent-requests"`];
  const states = [`"concurrency";r=${Math.max(0, concurrency - running)}`];
  if (rate !== undefined) {
    policies.push(`"rate";q=${rate.limit};w=60`);
    states.push(`"rate";r=${rate.remaining};t=${Math.ceil(rate.fullMs / 1000)}`);
  }
  return { "ratelimit-policy": policies.join(", "), ratelimit: states.join(", ") };
}

export type Refusal = (rules: LimitRules, grant: Grant) => ApiError;

/** The 429 of an account. Names the limit that takes longer to pass. */
export const accountRefusal: Refusal = (rules, grant) => refusalOf(rules, grant, "rate_limited", "concurrency_limited");

/** The same for the own limits of a key. */
export const keyRefusal: Refusal = (rules, grant) =>
  refusalOf(rules, grant, "key_rate_limited", "key_concurrency_limited");

function refusalOf(
  rules: LimitRules,
  grant: Grant,
  overRate: "rate_limited" | "key_rate_limited",
  overConcurrency: "concurrency_limited" | "key_concurrency_limited",
): ApiError {
  const headers = limitHeaders(rules, grant);
  const { rate } = grant;
  if (rate !== undefined && rate.remaining === 0) {
    const retryAfterSeconds = Math.max(1, Math.ceil(rate.nextMs / 1000));
    return apiError(overRate, { limit: rate.limit }, { retryAfterSeconds, headers });
  }
  return apiError(overConcurrency, { limit: rules.concurrency }, { retryAfterSeconds: 1, headers });
}
