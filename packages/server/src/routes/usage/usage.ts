import {
  adminUsageQuery,
  MAX_USAGE_DAYS,
  shapeError,
  type UsageGroup,
  type UsageQuery,
  type UsageReport,
  usageDays,
  usageQuery,
} from "@parlance/protocol";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { authenticate, authenticateAdmin, callerOf } from "../../http/authenticate.ts";
import type { Identify } from "../../http/identify.ts";
import { parseQuery } from "../../http/request-input.ts";
import { usageCsv } from "../../services/usage/usage-csv.ts";
import type { ReportRequest } from "../../services/usage/usage-report.ts";

export interface UsageRouteParts {
  readonly accounts: { find(id: string): Promise<unknown> };
  readonly identify: Identify;
  /** Has what was counted up to now. */
  readonly report: (wanted: ReportRequest) => Promise<UsageReport>;
  readonly now?: () => number;
}

/** What was used: one's own under /account/usage; everybody's, for admins, under /admin/usage. */
export function usageRoutes(
  app: FastifyInstance,
  { accounts, identify, report, now = Date.now }: UsageRouteParts,
): void {
  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    query: Pick<UsageQuery, "from" | "to" | "format">,
    wanted: { readonly groupBy: UsageGroup; readonly userId: string | undefined },
  ) => {
    const days = daysOf(query, now());
    const found = await report({ ...days, ...wanted });
    reply.header("vary", "accept");
    if (!wantsCsv(request, query.format)) return found;
    const name = `parlance-usage-${days.from}-${days.to}.csv`;
    return reply
      .type("text/csv; charset=utf-8")
      .header("content-disposition", `attachment; filename="${name}"`)
      .send(usageCsv(found));
  };

  app.register(async (scope) => {
    authenticate(scope, identify);
    scope.get("/account/usage", (request, reply) => {
      const query = parseQuery(usageQuery, request);
      const { userId } = callerOf(request);
      return answer(request, reply, query, { groupBy: query.group_by ?? "day", userId });
    });
  });
  app.register(async (scope) => {
    authenticateAdmin(scope, identify);
    scope.get("/admin/usage", async (request, reply) => {
      const query = parseQuery(adminUsageQuery, request);
      const userId = query.user_id;
      if (userId !== undefined) await accounts.find(userId);
      return answer(request, reply, query, { groupBy: query.group_by ?? "user", userId });
    });
  });
}

function daysOf(query: Pick<UsageQuery, "from" | "to">, now: number) {
  const days = usageDays(query, now);
  if (days !== undefined) return days;
  const field = query.to === undefined ? "from" : "to";
  const msg = `Expected days from the earlier to the later one, at most ${MAX_USAGE_DAYS} of them`;
  throw shapeError([{ loc: [field], type: "value_error", msg, in: "query" }]);
}

/** What is asked for in the address counts more than what a browser accepts anyway. */
function wantsCsv({ headers }: FastifyRequest, format: UsageQuery["format"]): boolean {
  return format === undefined ? /^\s*text\/csv\b/i.test(headers.accept ?? "") : format === "csv";
}
