import { DEFAULT_PLANS, DEFAULT_PRICES, PLAN_NAMES, type PlanRules, type Plans, type Prices } from "@parlance/protocol";
import { z } from "zod";
import { json } from "./value-types.ts";

const credits = z.number().int().min(0).max(1_000_000_000_000);
const planChange = z
  .strictObject({
    credits,
    concurrency: z.number().int().min(1).max(100_000),
    requestsPerMinute: z.number().int().min(0).max(1_000_000),
  })
  .partial();
const planChanges = z.strictObject(
  Object.fromEntries(PLAN_NAMES.map((name) => [name, planChange.optional()])) as Record<
    keyof Plans,
    z.ZodOptional<typeof planChange>
  >,
);
const price = z.number().min(0).max(1_000_000);
const priceChanges = z.strictObject({ textByte: price, transcribedSecond: price }).partial();

/** Given values replace the defaults, number by number. */
export const plans = json(
  planChanges,
  `JSON such as {"free":{"credits":50000,"concurrency":2,"requestsPerMinute":60}}, with any of the plans ${PLAN_NAMES.join(", ")}`,
  (changes): Plans => {
    const merge = (name: keyof Plans): PlanRules => {
      const { credits: defaultCredits, concurrency, requestsPerMinute } = DEFAULT_PLANS[name];
      const change = changes[name] ?? {};
      return {
        credits: change.credits ?? defaultCredits,
        concurrency: change.concurrency ?? concurrency,
        requestsPerMinute: change.requestsPerMinute ?? requestsPerMinute,
      };
    };
    return { free: merge("free"), plus: merge("plus"), pro: merge("pro"), unlimited: merge("unlimited") };
  },
);

export const prices = json(
  priceChanges,
  'JSON such as {"textByte":1,"transcribedSecond":7}, with numbers from 0 to 1000000',
  ({ textByte, transcribedSecond }): Prices => ({
    textByte: textByte ?? DEFAULT_PRICES.textByte,
    transcribedSecond: transcribedSecond ?? DEFAULT_PRICES.transcribedSecond,
  }),
);

/** The plans, with the limits that were set for all of them. */
export function plansOf(config: {
  readonly plans: Plans;
  readonly concurrency: number | undefined;
  readonly requestsPerMinute: number | undefined;
}): Plans {
  const limited = (rules: PlanRules): PlanRules => ({
    credits: rules.credits,
    concurrency: config.concurrency ?? rules.concurrency,
    requestsPerMinute: config.requestsPerMinute ?? rules.requestsPerMinute,
  });
  const { free, plus, pro, unlimited } = config.plans;
  return { free: limited(free), plus: limited(plus), pro: limited(pro), unlimited: limited(unlimited) };
}
