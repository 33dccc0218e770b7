import {
  apiCredit,
  type LedgerPage,
  ledgerPage,
  ledgerQuery,
  type PriceRecord,
  type Prices,
  packageRecord,
  priceRecord,
  shapeError,
} from "@parlance/protocol";
import type { FastifyInstance } from "fastify";
import { authenticate } from "../../http/authenticate.ts";
import type { Identify } from "../../http/identify.ts";
import { parseQuery } from "../../http/request-input.ts";
import { walletOwner } from "../../http/wallet-owner.ts";
import { documented } from "../../openapi/route-docs.ts";
import type { Wallets } from "../../services/billing/wallet.ts";
import { toApiCredit, toEntry, toPackage } from "./records.ts";

export interface WalletRouteParts {
  readonly wallets: Wallets;
  readonly identify: Identify;
  readonly prices: Prices;
}

const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 200;
const OTHER_USER_ERRORS = ["forbidden", "unknown_user", "invalid_request"] as const;

/** The credits of an account and their history: /wallet/{user_id}/package, …/api-credit and …/ledger; and what requests cost. */
export function walletRoutes(app: FastifyInstance, { wallets, identify, prices }: WalletRouteParts): void {
  app.register(async (scope) => {
    authenticate(scope, identify);
    const costs = documented({ id: "getPrices", summary: "Get what requests cost", response: priceRecord });
    scope.get(
      "/wallet/prices",
      costs,
      async (): Promise<PriceRecord> => ({
        text_byte: prices.textByte,
        transcribed_second: prices.transcribedSecond,
      }),
    );
    // Without an id it is the caller's own.
    for (const [path, own] of [
      ["/wallet", "Own"],
      ["/wallet/:user_id", ""],
    ] as const) {
      const errors = own === "" ? OTHER_USER_ERRORS : [];
      const wallet = documented({
        id: `get${own}Package`,
        summary: "Get the balance",
        response: packageRecord,
        errors,
      });
      scope.get(`${path}/package`, wallet, async (request) => toPackage(await wallets.view(walletOwner(request))));
      const credit = documented({
        id: `get${own}ApiCredit`,
        summary: "Get all credits that can be spent, for older clients",
        response: apiCredit,
        errors,
      });
      scope.get(`${path}/api-credit`, credit, async (request) => toApiCredit(await wallets.view(walletOwner(request))));
      const ledger = documented({
        id: `get${own}Ledger`,
        summary: "List the changes of a wallet, newest first",
        query: ledgerQuery,
        response: ledgerPage,
        errors,
      });
      scope.get(`${path}/ledger`, ledger, async (request): Promise<LedgerPage> => {
        const owner = walletOwner(request);
        const query = parseQuery(ledgerQuery, request);
        const limit = toCount(query.limit, "limit", MAX_PAGE_SIZE) ?? DEFAULT_PAGE_SIZE;
        const before = toCount(query.before, "before", Number.MAX_SAFE_INTEGER);
        const { entries, hasMore } = await wallets.ledger(owner, { before, limit });
        return { items: entries.map(toEntry), has_more: hasMore };
      });
    }
  });
}

function toCount(value: string | undefined, field: string, max: number): number | undefined {
  if (value === undefined) return undefined;
  const count = /^\d{1,16}$/.test(value) ? Number(value) : 0;
  if (count >= 1 && count <= max) return count;
  throw shapeError([{ loc: [field], type: "value_error", msg: `Expected an integer from 1 to ${max}`, in: "query" }]);
}
