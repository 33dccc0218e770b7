import { type LedgerPage, ledgerQuery, shapeError } from "@parlance/protocol";
import type { FastifyInstance } from "fastify";
import { authenticate } from "../../http/authenticate.ts";
import type { Identify } from "../../http/identify.ts";
import { parseQuery } from "../../http/request-input.ts";
import { walletOwner } from "../../http/wallet-owner.ts";
import type { Wallets } from "../../services/billing/wallet.ts";
import { toApiCredit, toEntry, toPackage } from "./records.ts";

export interface WalletRouteParts {
  readonly wallets: Wallets;
  readonly identify: Identify;
}

const USUAL_PAGE = 50;
const MOST_ON_PAGE = 200;

/** What an account has and had: /wallet/{user_id}/package, …/api-credit and …/ledger. */
export function walletRoutes(app: FastifyInstance, { wallets, identify }: WalletRouteParts): void {
  app.register(async (scope) => {
    authenticate(scope, identify);
    for (const path of ["/wallet", "/wallet/:user_id"]) {
      scope.get(`${path}/package`, async (request) => toPackage(await wallets.view(walletOwner(request))));
      scope.get(`${path}/api-credit`, async (request) => toApiCredit(await wallets.view(walletOwner(request))));
      scope.get(`${path}/ledger`, async (request): Promise<LedgerPage> => {
        const owner = walletOwner(request);
        const query = parseQuery(ledgerQuery, request);
        const limit = toCount(query.limit, "limit", MOST_ON_PAGE) ?? USUAL_PAGE;
        const before = toCount(query.before, "before", Number.MAX_SAFE_INTEGER);
        const { entries, hasMore } = await wallets.ledger(owner, { before, limit });
        return { items: entries.map(toEntry), has_more: hasMore };
      });
    }
  });
}

function toCount(value: string | undefined, field: string, most: number): number | undefined {
  if (value === undefined) return undefined;
  const count = /^\d{1,16}$/.test(value) ? Number(value) : 0;
  if (count >= 1 && count <= most) return count;
  throw shapeError([{ loc: [field], type: "value_error", msg: `Expected an integer from 1 to ${most}`, in: "query" }]);
}
