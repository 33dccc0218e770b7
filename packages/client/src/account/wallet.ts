import {
  type ApiCredit,
  apiCredit,
  type LedgerPage,
  ledgerPage,
  type PackageRecord,
  type PriceRecord,
  packageRecord,
  priceRecord,
  SELF,
} from "@parlance/protocol";
import type { CallOptions, Connection } from "../http/connection.ts";
import { queryOf } from "./admin.ts";

export interface WalletCall extends CallOptions {
  /** The account; by default the caller's own. Others are for admins. */
  readonly userId?: string | undefined;
}

export interface LedgerQuery {
  /** Only entries before the one with this id. */
  readonly before?: number | undefined;
  /** 1 to 200, 50 by default. */
  readonly limit?: number | undefined;
}

/** Credits of an account and the ledger of their changes. */
export interface Wallet {
  /**
   * The plan, its monthly package of credits and the extra credits.
   *
   * @example
   * ```ts
   * const { balance, total, extra_balance, finished_at } = await client.wallet.package();
   * console.log(`${balance} of ${total} until ${finished_at}, ${extra_balance} extra`);
   * ```
   */
  package(call?: WalletCall): Promise<PackageRecord>;
  /**
   * All credits that can be spent, as a decimal number in a string.
   *
   * @example
   * ```ts
   * const { credit } = await client.wallet.apiCredit();
   * console.log(credit);
   * ```
   */
  apiCredit(call?: WalletCall): Promise<ApiCredit>;
  /**
   * One page of the ledger, the newest entry first.
   *
   * @example
   * ```ts
   * const { items, has_more } = await client.wallet.ledger({ limit: 20 });
   * const last = items.at(-1);
   * if (has_more && last) console.log(await client.wallet.ledger({ limit: 20, before: last.id }));
   * ```
   */
  ledger(query?: LedgerQuery, call?: WalletCall): Promise<LedgerPage>;
  /**
   * What requests cost, in credits.
   *
   * @example
   * ```ts
   * const { text_byte, transcribed_second } = await client.wallet.prices();
   * console.log(`${text_byte} per byte, ${transcribed_second} per second`);
   * ```
   */
  prices(call?: CallOptions): Promise<PriceRecord>;
}

export function createWallet({ json }: Connection): Wallet {
  const at = ({ userId = SELF }: WalletCall, what: string) => `/wallet/${encodeURIComponent(userId)}/${what}`;
  return {
    package: (call = {}) => json("GET", at(call, "package"), packageRecord, call),
    apiCredit: (call = {}) => json("GET", at(call, "api-credit"), apiCredit, call),
    ledger: (query = {}, call = {}) => json("GET", at(call, `ledger${queryOf(query)}`), ledgerPage, call),
    prices: (call = {}) => json("GET", "/wallet/prices", priceRecord, call),
  };
}
