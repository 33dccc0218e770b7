import {
  checkPlan,
  checkTime,
  type GrantRecord,
  grantBody,
  grantRecord,
  packageRecord,
  parseShape,
  type SubscriptionInput,
  subscriptionBody,
} from "@parlance/protocol";
import type { FastifyInstance } from "fastify";
import { authenticateAdmin, callerOf } from "../../http/authenticate.ts";
import { parseBody, SMALL_BODY } from "../../http/request-input.ts";
import { walletOwner } from "../../http/wallet-owner.ts";
import { documented } from "../../openapi/route-docs.ts";
import type { SubscriptionChange } from "../../services/billing/wallet.ts";
import { toEntry, toPackage } from "../wallet/records.ts";
import type { WalletRouteParts } from "../wallet/wallet.ts";

/** For admins and for programs that receive events of a payment provider: /admin/wallet/{user_id}. */
export function adminWalletRoutes(app: FastifyInstance, { wallets, identify }: Omit<WalletRouteParts, "prices">): void {
  app.register(async (scope) => {
    authenticateAdmin(scope, identify);
    scope.post(
      "/admin/wallet/:user_id/grants",
      documented(
        {
          id: "grantCredits",
          summary: "Add or remove extra credits",
          description:
            "A request with the same `idempotency_key` has no effect again: the response is 200 with the first grant.",
          body: { name: "Grant", schema: grantBody },
          response: grantRecord,
          status: 201,
          errors: ["unknown_user"],
        },
        SMALL_BODY,
      ),
      async (request, reply) => {
        const owner = walletOwner(request);
        const { amount, note, idempotency_key: key } = parseBody(grantBody, request);
        const { entry, created, wallet } = await wallets.grant(owner, {
          amount,
          note,
          key,
          by: callerOf(request).userId,
        });
        const record: GrantRecord = { entry: toEntry(entry), created, extra_balance: wallet.extra };
        return reply.code(created ? 201 : 200).send(record);
      },
    );
    scope.put(
      "/admin/wallet/:user_id/subscription",
      documented(
        {
          id: "setSubscription",
          summary: "Set the subscription of an account",
          description:
            "For the program that receives events of a payment provider. All fields are replaced; one that is absent or null is unknown. Only `plan` has an effect: a new plan refills the package at once.",
          body: { name: "Subscription", schema: subscriptionBody },
          response: packageRecord,
          errors: ["unknown_user"],
        },
        SMALL_BODY,
      ),
      async (request) => {
        const owner = walletOwner(request);
        // Null is a value here: it removes the field.
        const body = parseShape(subscriptionBody, request.body ?? {}, "body");
        return toPackage(await wallets.setSubscription(owner, toSubscription(body)));
      },
    );
  });
}

/** The record as it is stored. Throws the 400 for a wrong value. The command line uses it too. */
export function toSubscription(body: SubscriptionInput): SubscriptionChange {
  const time = (field: "current_period_end" | "cancel_at" | "last_synced_at"): string | null => {
    const value = body[field] ?? null;
    return value === null ? null : checkTime(value, field);
  };
  return {
    providerSubscriptionId: body.provider_subscription_id ?? null,
    providerPriceId: body.provider_price_id ?? null,
    billingPeriod: body.billing_period ?? null,
    currentPeriodEnd: time("current_period_end"),
    cancelAtPeriodEnd: body.cancel_at_period_end ?? null,
    cancelAt: time("cancel_at"),
    scheduledChange: body.scheduled_change ?? null,
    lastSyncedAt: time("last_synced_at") ?? undefined,
    subscriptionCurrency: body.subscription_currency ?? null,
    hasUsedTrial: body.has_used_trial,
    plan: body.plan === undefined ? undefined : checkPlan(body.plan),
  };
}
