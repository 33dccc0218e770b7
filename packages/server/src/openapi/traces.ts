import { traceList, traceRecord, tracesQuery } from "@parlance/protocol";
import type { z } from "zod";
import { errorResponses, KEY_ERRORS } from "./errors.ts";
import { queryParameters } from "./query-parameters.ts";
import type { Operation, Parameter } from "./types.ts";

export const TRACE_SCHEMAS = { TraceList: traceList, Trace: traceRecord } satisfies Record<string, z.ZodType>;

type Errors = Parameters<typeof errorResponses>[0];

const LIST =
  "Requests for speech and transcription that have ended, as far as this node remembers them. A round on a live socket is one request, and so is the upgrade.";
const ONE =
  "Every request of the trace that this node remembers, each with its spans: what was done in it, when, and for how long.";

const traceId: Parameter = {
  name: "trace_id",
  in: "path",
  required: true,
  description: "The `x-trace-id` of an answer: 32 hex digits.",
  schema: { type: "string" },
};

export const TRACE_PATHS = {
  "/account/traces": {
    get: operation(
      "listTraces",
      "Recent requests of the account",
      LIST,
      "Account",
      "TraceList",
      queryParameters(tracesQuery),
      ["invalid_request"],
    ),
  },
  "/account/traces/{trace_id}": {
    get: operation(
      "getTrace",
      "Where the time of a request went",
      ONE,
      "Account",
      "Trace",
      [traceId],
      ["unknown_trace"],
    ),
  },
  "/admin/traces": {
    get: operation(
      "listAllTraces",
      "Recent requests of everybody",
      LIST,
      "Administration",
      "TraceList",
      queryParameters(tracesQuery),
      ["admin_only", "invalid_request"],
    ),
  },
  "/admin/traces/{trace_id}": {
    get: operation(
      "getAnyTrace",
      "Where the time of anybody's request went",
      ONE,
      "Administration",
      "Trace",
      [traceId],
      ["admin_only", "unknown_trace"],
    ),
  },
} as const;

function operation(
  operationId: string,
  summary: string,
  description: string,
  tag: string,
  schema: keyof typeof TRACE_SCHEMAS,
  parameters: readonly Parameter[],
  errors: Errors,
): Operation {
  return {
    operationId,
    summary,
    description,
    tags: [tag],
    security: [{ bearer: [] }, { session: [] }],
    parameters,
    responses: {
      200: {
        description: "What is remembered.",
        content: { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } },
      },
      ...errorResponses([...KEY_ERRORS, "internal", ...errors]),
    },
  };
}
