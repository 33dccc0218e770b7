import {
  type ApiCredit,
  apiCredit,
  type LedgerPage,
  ledgerPage,
  type PackageRecord,
  packageRecord,
  SELF,
} from "@parlance/protocol";
import type { CallOptions, Connection } from "../http/connection.ts";
import { queryOf } from "./admin.ts";

export interface WalletCall extends CallOptions {
  /** Whose: the caller's own unless an admin names somebody else. */
  readonly userId?: string | undefined;
}

export interface LedgerQuery {
  /** Only entries before the one with this id. */
  readonly before?: number;
  /** 1 to 200, 50 by default. */
  readonly limit?: number;
}

/** What the account can spend, and what it was spent on. */
export interface Wallet {
  package(call?: WalletCall): Promise<PackageRecord>;
  apiCredit(call?: WalletCall): Promise<ApiCredit>;
  /** One page, the newest entry first. */
  ledger(query?: LedgerQuery, call?: WalletCall): Promise<LedgerPage>;
}

export function createWallet({ json }: Connection): Wallet {
  const at = ({ userId = SELF }: WalletCall, what: string) => `/wallet/${encodeURIComponent(userId)}/${what}`;
  return {
    package: (call = {}) => json("GET", at(call, "package"), packageRecord, call),
    apiCredit: (call = {}) => json("GET", at(call, "api-credit"), apiCredit, call),
    ledger: (query = {}, call = {}) => json("GET", at(call, `ledger${queryOf(query)}`), ledgerPage, call),
  };
}
