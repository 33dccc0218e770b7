export interface ErrorRow {
  readonly status: number;
  /** `{name}` is replaced by what the thrower knows. */
  readonly message: string;
  /** Whether the same request may succeed later without a change. */
  readonly retryable: boolean;
}

/**
 * Every error that the service answers with. The code travels in the header `x-error-code`,
 * so that it may change neither meaning nor status once a client relies on it.
 */
export const ERROR_TABLE = {
  invalid_value: { status: 400, message: "{field}: {value} is not allowed, {allowed}", retryable: false },
  unknown_model: { status: 400, message: "model: {value} is not available, use one of {allowed}", retryable: false },
  unknown_voice: { status: 400, message: "{field}: there is no voice {value}, {allowed}", retryable: false },
  text_too_long: { status: 400, message: "text: {length} characters, at most {limit} are allowed", retryable: false },
  references_unsupported: {
    status: 400,
    message:
      "references: {count} given, but this server cannot speak with a one-off reference voice; leave the field out and choose a voice by reference_id",
    retryable: false,
  },
  unreadable_frame: { status: 400, message: "The frame cannot be read: {reason}", retryable: false },
  round_missing: { status: 400, message: "text: no round is open, send start first", retryable: false },
  round_replaced: {
    status: 400,
    message: "start: the round before it was not stopped, it ends here",
    retryable: false,
  },
  round_idle: { status: 400, message: "The round has ended: nothing came for {seconds} seconds", retryable: false },
  missing_api_key: {
    status: 401,
    message: "API key missing: send the header Authorization: Bearer <API_KEY>",
    retryable: false,
  },
  invalid_api_key: { status: 401, message: "Invalid API key", retryable: false },
  expired_api_key: { status: 401, message: "This API key has expired", retryable: false },
  revoked_api_key: { status: 401, message: "This API key has been revoked", retryable: false },
  insufficient_balance: { status: 402, message: "Not enough credit", retryable: false },
  forbidden: { status: 403, message: "Not allowed: it belongs to somebody else", retryable: false },
  not_found: { status: 404, message: "Not found: {method} {path}", retryable: false },
  payload_too_large: { status: 413, message: "The body is over the limit of {limit} bytes", retryable: false },
  unsupported_media_type: {
    status: 415,
    message: "Content type {value} is not accepted, use {allowed}",
    retryable: false,
  },
  invalid_request: { status: 422, message: "The request does not have the right shape", retryable: false },
  rate_limited: { status: 429, message: "Over the limit of {limit} requests per minute", retryable: true },
  concurrency_limited: { status: 429, message: "Over the limit of {limit} requests at a time", retryable: true },
  internal: {
    status: 500,
    message: "Something went wrong on our side; the trace id names this request",
    retryable: true,
  },
  overloaded: { status: 503, message: "The server is busy, try again soon", retryable: true },
  not_ready: { status: 503, message: "No voice is installed yet, try again soon", retryable: true },
  draining: { status: 503, message: "The server is shutting down, try again soon", retryable: true },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERROR_TABLE;

type Placeholders<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

/** What an error's message needs to be told. */
export type ErrorDetails<Code extends ErrorCode> = Record<
  Placeholders<(typeof ERROR_TABLE)[Code]["message"]>,
  string | number
>;

export function isErrorCode(value: string): value is ErrorCode {
  return Object.hasOwn(ERROR_TABLE, value);
}

export function errorMessage<Code extends ErrorCode>(code: Code, details: ErrorDetails<Code>): string {
  const values: Readonly<Record<string, string | number>> = details;
  return ERROR_TABLE[code].message.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
