import { type AdminUsageQuery, type UsageQuery, type UsageReport, usageReport } from "@parlance/protocol";
import type { CallOptions, Connection } from "../http/connection.ts";
import { queryOf } from "./admin.ts";

/** Usage reports: by default one row for each of the last 30 days. */
export interface Usage {
  /**
   * Usage of the account.
   *
   * @example
   * ```ts
   * const { rows, total } = await client.usage({ from: "2026-01-01", to: "2026-01-31", group_by: "key" });
   * console.log(rows.length, total.characters);
   * ```
   */
  (query?: Omit<UsageQuery, "format">, call?: CallOptions): Promise<UsageReport>;
  /**
   * For admins: usage of all accounts, by default one row for each, or of one account.
   *
   * @example
   * ```ts
   * const { rows } = await client.usage.all({ group_by: "user" });
   * for (const { user_email, credits } of rows) console.log(user_email, credits);
   * ```
   */
  all(query?: Omit<AdminUsageQuery, "format">, call?: CallOptions): Promise<UsageReport>;
}

export function createUsage({ json }: Connection): Usage {
  const own = (query: Omit<UsageQuery, "format"> = {}, call: CallOptions = {}) =>
    json("GET", `/account/usage${queryOf(query)}`, usageReport, call);
  return Object.assign(own, {
    all: (query: Omit<AdminUsageQuery, "format"> = {}, call: CallOptions = {}) =>
      json("GET", `/admin/usage${queryOf(query)}`, usageReport, call),
  });
}
