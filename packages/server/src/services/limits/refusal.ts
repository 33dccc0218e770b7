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

/** The 429. Names the limit that takes longer to pass. */
export function refusal(rules: LimitRules, grant: Grant): ApiError {
  const headers = limitHeaders(rules, grant);
  const { rate } = grant;
  if (rate !== undefined && rate.remaining === 0) {
    const retryAfterSeconds = Math.max(1, Math.ceil(rate.nextMs / 1000));
    return apiError("rate_limited", { limit: rate.limit }, { retryAfterSeconds, headers });
  }
  return apiError("concurrency_limited", { limit: rules.concurrency }, { retryAfterSeconds: 1, headers });
}
