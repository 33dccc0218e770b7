import { adminUsageQuery, usageQuery } from "@parlance/protocol";
import type { z } from "zod";
import { errorResponses, KEY_ERRORS } from "./errors.ts";
import { queryParameters } from "./query-parameters.ts";
import type { Operation } from "./types.ts";

export const USAGE_PATHS = {
  "/account/usage": {
    get: usageOperation("getUsage", "What the account has used", "Account", usageQuery, []),
  },
  "/admin/usage": {
    get: usageOperation("getAllUsage", "What everybody has used", "Administration", adminUsageQuery, [
      "admin_only",
      "unknown_user",
    ]),
  },
} as const;

function usageOperation(
  operationId: string,
  summary: string,
  tag: string,
  query: z.ZodObject,
  more: Parameters<typeof errorResponses>[0],
): Operation {
  return {
    operationId,
    summary,
    description:
      "Sums of requests, characters, audio, credits, errors and the time to the first audio. Days are in UTC; a request counts on the day on which it ended.",
    tags: [tag],
    security: [{ bearer: [] }, { session: [] }],
    parameters: queryParameters(query),
    responses: {
      200: {
        description: "The report: a row for each day, key, operation or user that has something, and the sum of all.",
        content: {
          "application/json": { schema: { $ref: "#/components/schemas/UsageReport" } },
          "text/csv": { schema: { type: "string" } },
        },
      },
      ...errorResponses([...KEY_ERRORS, "invalid_request", "internal", ...more]),
    },
  };
}
