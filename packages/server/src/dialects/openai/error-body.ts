import type { DialectError } from "../dialect.ts";

/** Its client chooses the exception by the status; programs read `type` and `code`. */
const TYPES: Readonly<Record<number, string>> = {
  401: "authentication_error",
  402: "insufficient_quota",
  403: "permission_error",
  404: "not_found_error",
  429: "rate_limit_error",
};

export function openAiErrorBody({ status, code, message, field }: DialectError) {
  const type = TYPES[status] ?? (status < 500 ? "invalid_request_error" : "server_error");
  return { error: { message, type, param: field ?? null, code } };
}
