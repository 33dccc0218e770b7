import { type AdminUsageQuery, type UsageQuery, type UsageReport, usageReport } from "@parlance/protocol";
import type { CallOptions, Connection } from "../http/connection.ts";
import { queryOf } from "./admin.ts";

/** What was used, by day unless something else is asked for, of the last thirty days. */
export interface Usage {
  (query?: Omit<UsageQuery, "format">, call?: CallOptions): Promise<UsageReport>;
  /** For admins: everybody's by user, or one user's. */
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
