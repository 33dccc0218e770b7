import { ApiError, type ValidationIssue } from "./api-error.ts";
import { type ErrorCode, isErrorCode } from "./error-table.ts";

export const ERROR_CODE_HEADER = "x-error-code";
export const TRACE_ID_HEADER = "x-trace-id";

/** The code of a status without a code header: a proxy or an older server responded. */
const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: "invalid_value",
  401: "invalid_api_key",
  402: "insufficient_balance",
  403: "forbidden",
  404: "not_found",
  408: "upload_too_slow",
  413: "payload_too_large",
  415: "unsupported_media_type",
  422: "invalid_request",
  429: "rate_limited",
  502: "overloaded",
  503: "overloaded",
  504: "overloaded",
};

/** Turns an error response into the error that the server threw. Never throws itself. */
export function errorFromResponse(status: number, header: (name: string) => string | null, body: string): ApiError {
  const named = header(ERROR_CODE_HEADER) ?? "";
  const code = isErrorCode(named) ? named : (CODE_OF_STATUS[status] ?? (status < 500 ? "invalid_value" : "internal"));
  const retryAfter = Number.parseInt(header("retry-after") ?? "", 10);
  const parsed = parse(body);
  const issues = Array.isArray(parsed) ? parsed.filter(isIssue) : [];
  return new ApiError(code, messageOf(parsed, issues) ?? `HTTP ${status}`, {
    status,
    issues,
    retryAfterSeconds: Number.isNaN(retryAfter) ? undefined : retryAfter,
    traceId: header(TRACE_ID_HEADER) ?? undefined,
  });
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function isIssue(value: unknown): value is ValidationIssue {
  return typeof value === "object" && value !== null && "loc" in value && Array.isArray(value.loc) && "msg" in value;
}

function messageOf(body: unknown, issues: readonly ValidationIssue[]): string | undefined {
  if (issues.length > 0) return issues.map((issue) => `${issue.loc.join(".")}: ${issue.msg}`).join("; ");
  if (typeof body === "object" && body !== null && "message" in body && typeof body.message === "string") {
    return body.message;
  }
  return undefined;
}
