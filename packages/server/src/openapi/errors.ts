import { ERROR_CODE_HEADER, ERROR_TABLE, type ErrorCode, type ErrorRow } from "@parlance/protocol";
import type { JsonSchema, Response } from "./types.ts";

const rows: readonly (readonly [string, ErrorRow])[] = Object.entries(ERROR_TABLE);

/** Errors of every request with a key or a session. */
export const IDENTITY_ERRORS: readonly ErrorCode[] = [
  "missing_api_key",
  "invalid_api_key",
  "expired_api_key",
  "revoked_api_key",
  "account_disabled",
  "invalid_session",
];

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: "A value is wrong. The message names the field, the value and what is allowed.",
  401: "The key is missing, malformed, unknown, expired or revoked; or the session, password or link is not valid.",
  402: "The wallet has too little credit.",
  403: "The record belongs to another account, the route is for admins, or the request came from another site.",
  404: "The record does not exist.",
  408: "The request took too long to arrive.",
  413: "The body is over its limit.",
  415: "The content type is not accepted.",
  422: "The request has the wrong shape. Every wrong field is listed.",
  429: "Too many requests at a time or in a minute. `Retry-After` says when to retry.",
  500: "An error of the server.",
  502: "The language model of the operator failed.",
  503: "Overloaded, not ready or shutting down. `Retry-After` says when to retry.",
};

/** Of every route. It has no error code, because it comes before the route is known. */
export const TOO_SLOW: Response = {
  description: "The request took too long to arrive.",
  content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
};

/** The responses for a set of error codes, one for each status. */
export function errorResponses(codes: readonly ErrorCode[], schema?: string): Readonly<Record<string, Response>> {
  const used = rows.filter(([code]) => codes.some((each) => each === code));
  const statuses = [...new Set(used.map(([, row]) => row.status))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      {
        description: DESCRIPTIONS[status] ?? "",
        headers: {
          [ERROR_CODE_HEADER]: {
            description: "The error code, for programs.",
            schema: { type: "string", enum: used.filter(([, row]) => row.status === status).map(([code]) => code) },
          },
        },
        content: {
          "application/json": {
            schema: { $ref: `#/components/schemas/${schema ?? (status === 422 ? "ValidationErrors" : "Error")}` },
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
    properties: {
      status: { type: "integer", description: "The HTTP status." },
      message: { type: "string", description: "What is wrong and what to do, for people." },
    },
  },
  OpenAiError: {
    type: "object",
    required: ["error"],
    properties: {
      error: {
        type: "object",
        description: "What is wrong.",
        required: ["message", "type", "param", "code"],
        properties: {
          message: { type: "string", description: "What is wrong and what to do, for people." },
          type: { type: "string", description: "The kind of error, as OpenAI names it." },
          param: { type: ["string", "null"], description: "The field that is wrong." },
          code: { type: "string", description: "The same as the header `x-error-code`." },
        },
      },
    },
  },
  ValidationErrors: {
    type: "array",
    items: {
      type: "object",
      required: ["loc", "type", "msg"],
      properties: {
        loc: { type: "array", items: { type: "string" }, description: "The path to the field." },
        type: { type: "string", description: "The kind of error, for programs." },
        msg: { type: "string", description: "The message, for people." },
        ctx: { type: "string", description: "Details." },
        in: {
          type: "string",
          enum: ["path", "query", "header", "cookie", "body"],
          description: "The part of the request that has the field.",
        },
      },
    },
  },
};
