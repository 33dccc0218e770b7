import { ERROR_TABLE, type ErrorCode, type ErrorDetails, errorMessage } from "./error-table.ts";
import { LIMITS } from "./limits.ts";

/** One issue with the shape of a request. */
export interface ValidationIssue {
  /** The path of the field: names and indexes. */
  readonly loc: readonly string[];
  readonly type: string;
  readonly msg: string;
  readonly ctx?: string;
  readonly in?: "path" | "query" | "header" | "cookie" | "body";
}

/** Exactly these two keys: existing clients build their exception from the keys of the body. */
export interface StatusBody {
  readonly status: number;
  readonly message: string;
}

export type ErrorBody = StatusBody | readonly ValidationIssue[];

export interface ApiErrorExtras {
  /** Differs from the table only when a client reads a response of another server. */
  readonly status?: number | undefined;
  readonly issues?: readonly ValidationIssue[] | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly traceId?: string | undefined;
  /** Further headers of the response, when the server throws it. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly cause?: unknown;
}

/** A response that is not 2xx, as the server throws it and as the client gets it. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly retryable: boolean;
  readonly issues: readonly ValidationIssue[];
  readonly retryAfterSeconds: number | undefined;
  readonly traceId: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, extras: ApiErrorExtras = {}) {
    super(message, { cause: extras.cause });
    this.name = "ApiError";
    this.code = code;
    this.status = extras.status ?? ERROR_TABLE[code].status;
    this.retryable = ERROR_TABLE[code].retryable;
    this.issues = extras.issues ?? [];
    this.retryAfterSeconds = extras.retryAfterSeconds;
    this.traceId = extras.traceId;
    this.headers = extras.headers ?? {};
  }
}

export function apiError<Code extends ErrorCode>(
  code: Code,
  details: ErrorDetails<Code>,
  extras: ApiErrorExtras = {},
): ApiError {
  return new ApiError(code, errorMessage(code, details), extras);
}

/** Lists only the first issues. */
export function shapeError(found: readonly ValidationIssue[]): ApiError {
  const issues = found.slice(0, LIMITS.listedIssues);
  const where = issues.map((issue) => `${issue.loc.join(".")}: ${issue.msg}`).join("; ");
  return new ApiError("invalid_request", `${errorMessage("invalid_request", {})} (${where})`, { issues });
}

export function errorBody(error: ApiError): ErrorBody {
  return error.code === "invalid_request" ? error.issues : { status: error.status, message: error.message };
}

/** A value as it appears in a message: recognizable, and always short. */
export function describeValue(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
