import {
  adminUsageQuery,
  type ErrorCode,
  MAX_USAGE_DAYS,
  shapeError,
  type UsageGroup,
  type UsageQuery,
  type UsageReport,
  usageDays,
  usageQuery,
} from "@parlance/protocol";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import { authenticate, authenticateAdmin, callerOf } from "../../http/authenticate.ts";
import type { Identify } from "../../http/identify.ts";
import { limitLargeBodies } from "../../http/large-bodies.ts";
import { parseQuery } from "../../http/request-input.ts";
import { documented } from "../../openapi/route-docs.ts";
import { usageCsv } from "../../services/usage/usage-csv.ts";
import type { ReportRequest } from "../../services/usage/usage-report.ts";

export interface UsageRouteParts {
  readonly accounts: { find(id: string): Promise<unknown> };
  readonly identify: Identify;
  /** With everything counted up to now. */
  readonly report: (filter: ReportRequest) => Promise<UsageReport>;
  readonly now?: () => number;
}

const usageDocs = (id: string, summary: string, query: z.ZodObject, errors: readonly ErrorCode[] = []) =>
  documented({
    id,
    summary,
    description:
      "Sums of requests, characters, audio, credits, errors and the time to the first audio. Days are in UTC; a request counts on the day on which it ended.",
    query,
    responses: {
      200: {
        description: "A row for each day, key, operation or user with usage, and the sum of all.",
        content: {
          "application/json": { schema: { $ref: "#/components/schemas/UsageReport" } },
          "text/csv": { schema: { type: "string" } },
        },
      },
    },
    errors,
  });

/** The usage of the caller under /account/usage, of all accounts under /admin/usage. */
export function usageRoutes(
  app: FastifyInstance,
  { accounts, identify, report, now = Date.now }: UsageRouteParts,
): void {
  const respond = async (
    request: FastifyRequest,
    reply: FastifyReply,
    query: Pick<UsageQuery, "from" | "to" | "format">,
    filter: { readonly groupBy: UsageGroup; readonly userId: string | undefined },
  ) => {
    const days = daysOf(query, now());
    const found = await report({ ...days, ...filter });
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
    limitLargeBodies(scope);
    scope.get("/account/usage", usageDocs("getUsage", "Get the usage of the account", usageQuery), (request, reply) => {
      const query = parseQuery(usageQuery, request);
      const { userId } = callerOf(request);
      return respond(request, reply, query, { groupBy: query.group_by ?? "day", userId });
    });
  });
  app.register(async (scope) => {
    authenticateAdmin(scope, identify);
    scope.get(
      "/admin/usage",
      usageDocs("getAllUsage", "Get the usage of all accounts", adminUsageQuery, ["unknown_user"]),
      async (request, reply) => {
        const query = parseQuery(adminUsageQuery, request);
        const userId = query.user_id;
        if (userId !== undefined) await accounts.find(userId);
        return respond(request, reply, query, { groupBy: query.group_by ?? "user", userId });
      },
    );
  });
}

function daysOf(query: Pick<UsageQuery, "from" | "to">, now: number) {
  const days = usageDays(query, now);
  if (days !== undefined) return days;
  const field = query.to === undefined ? "from" : "to";
  const msg = `Expected days from the earlier to the later one, at most ${MAX_USAGE_DAYS} of them`;
  throw shapeError([{ loc: [field], type: "value_error", msg, in: "query" }]);
}

/** The query has precedence over the `accept` header. */
function wantsCsv({ headers }: FastifyRequest, format: UsageQuery["format"]): boolean {
  return format === undefined ? /^\s*text\/csv\b/i.test(headers.accept ?? "") : format === "csv";
}
