import { ERROR_CODE_HEADER, ERROR_TABLE, type ErrorCode, type ErrorRow } from "@parlance/protocol";
import type { JsonSchema, Response } from "./types.ts";

const rows: readonly (readonly [string, ErrorRow])[] = Object.entries(ERROR_TABLE);

/** Of requests that have to say who they are. */
export const KEY_ERRORS: readonly ErrorCode[] = [
  "missing_api_key",
  "invalid_api_key",
  "expired_api_key",
  "revoked_api_key",
  "account_disabled",
];

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: "A value is wrong. The message names the field, the value and what is allowed.",
  401: "The key is missing, malformed, unknown, expired or revoked; or the session, password or link is not valid.",
  402: "The wallet cannot pay for it.",
  403: "It belongs to somebody else, is for admins, or was asked for by another site.",
  404: "There is no such thing.",
  408: "The request took too long to arrive.",
  413: "The body is over its limit.",
  415: "The content type is not accepted.",
  422: "The request does not have the right shape. Every field that is wrong is listed.",
  429: "Too many requests at a time or in a minute. `Retry-After` says when to come back.",
  500: "A fault of ours.",
  503: "Busy, not ready or shutting down. `Retry-After` says when to come back.",
};

/** The answers for a set of error codes, one for each status. */
export function errorResponses(codes: readonly ErrorCode[]): Readonly<Record<string, Response>> {
  const wanted = rows.filter(([code]) => codes.some((each) => each === code));
  const statuses = [...new Set(wanted.map(([, row]) => row.status))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      {
        description: DESCRIPTIONS[status] ?? "",
        headers: {
          [ERROR_CODE_HEADER]: {
            description: "What exactly, for programs.",
            schema: { type: "string", enum: wanted.filter(([, row]) => row.status === status).map(([code]) => code) },
          },
        },
        content: {
          "application/json": {
            schema: { $ref: `#/components/schemas/${status === 422 ? "ValidationErrors" : "Error"}` },
          },
        },
      },
    ]),
  );
}

export const ERROR_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Error: {
    type: "object",
    required: ["status", "message"],
    additionalProperties: false,
    properties: { status: { type: "integer" }, message: { type: "string" } },
  },
  ValidationErrors: {
    type: "array",
    items: {
      type: "object",
      required: ["loc", "type", "msg"],
      properties: {
        loc: { type: "array", items: { type: "string" }, description: "The names that lead to the field." },
        type: { type: "string", description: "The kind of error, for programs." },
        msg: { type: "string", description: "The error, for people." },
        ctx: { type: "string", description: "More about it." },
        in: { type: "string", enum: ["path", "query", "header", "cookie", "body"] },
      },
    },
  },
};
