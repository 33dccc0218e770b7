export interface ErrorRow {
  readonly status: number;
  /** `{name}` is replaced by a detail of the error. */
  readonly message: string;
  /** Whether the same request may succeed later without a change. */
  readonly retryable: boolean;
}

/**
 * Every error of the API. The code is sent in the header `x-error-code`; clients rely on its meaning and status, so
 * neither may change.
 */
export const ERROR_TABLE = {
  invalid_value: { status: 400, message: "{field}: {value} is not allowed, {allowed}", retryable: false },
  unknown_model: { status: 400, message: "model: {value} is not available, use one of {allowed}", retryable: false },
  email_taken: { status: 400, message: "email: another account has this address", retryable: false },
  public_url_missing: {
    status: 400,
    message: "A sign-in link needs the address of the service: set PARLANCE_PUBLIC_URL",
    retryable: false,
  },
  last_admin: {
    status: 400,
    message: "This is the last admin who can act: make another account an admin first",
    retryable: false,
  },
  too_many_keys: {
    status: 400,
    message: "The account has {limit} keys that work, and may have no more: revoke one",
    retryable: false,
  },
  too_many_aliases: {
    status: 400,
    message: "There are {limit} voice aliases, and may be no more: remove one",
    retryable: false,
  },
  unknown_voice: { status: 400, message: "{field}: there is no voice {value}, {allowed}", retryable: false },
  too_many_voices: {
    status: 400,
    message: "The account has {limit} voices, and may have no more: delete one",
    retryable: false,
  },
  cloning_off: {
    status: 400,
    message: "There are no voices from recordings here: the operator has switched them off",
    retryable: false,
  },
  voice_engine_missing: {
    status: 400,
    message:
      "This voice was cloned for the engine {engine}, which is not installed: fetch it with `parlance models pull {engine}`, or make the voice again from its recordings",
    retryable: false,
  },
  recording_unusable: { status: 400, message: "{field}: recording {number} {reason}", retryable: false },
  image_unusable: { status: 400, message: "cover_image: {reason}", retryable: false },
  text_too_long: { status: 400, message: "text: {length} characters, at most {limit} are allowed", retryable: false },
  text_unreadable: {
    status: 400,
    message: "text: no voice of {engine} can read it, the languages are {allowed}",
    retryable: false,
  },
  audio_undecodable: { status: 400, message: "audio: it cannot be decoded, {reason}", retryable: false },
  audio_without_track: { status: 400, message: "audio: the file has no audio track", retryable: false },
  audio_too_short: {
    status: 400,
    message: "audio: {length} is too short, it has to last at least {limit} s",
    retryable: false,
  },
  audio_too_long: {
    status: 400,
    message:
      "audio: {length} is too long, it may last at most {limit} s; split it, and add each part's place to its times",
    retryable: false,
  },
  audio_too_costly: {
    status: 400,
    message: "audio: it takes more time or memory to decode than a recording of the allowed length does",
    retryable: false,
  },
  unreadable_frame: { status: 400, message: "The frame cannot be read: {reason}", retryable: false },
  round_missing: { status: 400, message: "{event}: no round is open, send start first", retryable: false },
  round_replaced: {
    status: 400,
    message: "start: the round before it was not stopped, it ends here",
    retryable: false,
  },
  too_many_rounds: {
    status: 429,
    message: "Too many rounds without speech on this socket: it is closed",
    retryable: true,
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
  account_disabled: { status: 401, message: "This account is disabled", retryable: false },
  wrong_credentials: { status: 401, message: "Wrong e-mail address or password", retryable: false },
  invalid_link: {
    status: 401,
    message: "This sign-in link is not valid: it was used, replaced or has expired",
    retryable: false,
  },
  oidc_failed: {
    status: 401,
    message: "The sign-in with the provider failed: try again",
    retryable: false,
  },
  invalid_session: { status: 401, message: "The session has ended: sign in again", retryable: false },
  insufficient_balance: {
    status: 402,
    message: "Not enough credit: this costs {cost} credits, {balance} are left",
    retryable: false,
  },
  key_credit_limited: {
    status: 402,
    message: "Over this key's own limit of {limit} credits {period}: this costs {cost}, {left} are left",
    retryable: false,
  },
  forbidden: { status: 403, message: "Not allowed: it belongs to another account", retryable: false },
  scope_missing: {
    status: 403,
    message: "Not allowed: this key may not be used for it, it needs the scope {scope}",
    retryable: false,
  },
  oidc_domain: {
    status: 403,
    message: "Not allowed: addresses of this domain cannot sign in with the provider",
    retryable: false,
  },
  oidc_email: {
    status: 403,
    message: "Not allowed: the provider has not verified the e-mail address",
    retryable: false,
  },
  oidc_no_account: {
    status: 403,
    message: "There is no account with this e-mail address: an admin can create one",
    retryable: false,
  },
  key_limited: {
    status: 403,
    message: "Not allowed: a key with limits of its own can neither create keys nor change limits",
    retryable: false,
  },
  admin_only: { status: 403, message: "Not allowed: this is for admins", retryable: false },
  cross_site: {
    status: 403,
    message: "Refused: with a session, requests have to come from the service's own pages",
    retryable: false,
  },
  not_found: { status: 404, message: "Not found: {method} {path}", retryable: false },
  upload_too_slow: {
    status: 408,
    message: "The request took too long to arrive: {reason}",
    retryable: true,
  },
  audio_too_large: {
    status: 413,
    message: "audio: the file is over the limit of {limit} bytes",
    retryable: false,
  },
  file_too_large: {
    status: 413,
    message: "{field}: a file is over the limit of {limit} bytes",
    retryable: false,
  },
  model_not_found: { status: 404, message: "There is no model {value}", retryable: false },
  voice_not_found: { status: 404, message: "There is no such voice", retryable: false },
  unknown_alias: { status: 404, message: "There is no such voice alias", retryable: false },
  unknown_user: { status: 404, message: "There is no such user", retryable: false },
  unknown_key: { status: 404, message: "There is no such key", retryable: false },
  unknown_session: { status: 404, message: "There is no such session", retryable: false },
  unknown_history: { status: 404, message: "There is no such entry, or it has no audio", retryable: false },
  history_off: { status: 400, message: "This server keeps no history: PARLANCE_HISTORY is off", retryable: false },
  conversation_off: {
    status: 400,
    message: "This server holds no conversations: PARLANCE_LLM_URL is not set",
    retryable: false,
  },
  unknown_project: { status: 404, message: "There is no such project, or no such part of it", retryable: false },
  too_many_projects: {
    status: 400,
    message: "The account has {limit} projects, and may have no more: delete one",
    retryable: false,
  },
  projects_full: {
    status: 400,
    message: "The audio of the account's projects takes {limit} MB, and may take no more: delete a project",
    retryable: false,
  },
  project_incomplete: {
    status: 400,
    message: "Not everything has been spoken yet: wait until the project is complete",
    retryable: false,
  },
  unknown_trace: {
    status: 404,
    message: "There is no such trace: only recent requests of your own account are kept",
    retryable: false,
  },
  payload_too_large: { status: 413, message: "The body is over the limit of {limit} bytes", retryable: false },
  unsupported_media_type: {
    status: 415,
    message: "Content type {value} is not accepted, use {allowed}",
    retryable: false,
  },
  invalid_request: { status: 422, message: "The request does not have the right shape", retryable: false },
  too_many_attempts: { status: 429, message: "Too many attempts to sign in, try again later", retryable: true },
  rate_limited: { status: 429, message: "Over the limit of {limit} requests per minute", retryable: true },
  concurrency_limited: { status: 429, message: "Over the limit of {limit} requests at a time", retryable: true },
  key_rate_limited: {
    status: 429,
    message: "Over this key's own limit of {limit} requests per minute",
    retryable: true,
  },
  key_concurrency_limited: {
    status: 429,
    message: "Over this key's own limit of {limit} requests at a time",
    retryable: true,
  },
  too_many_sockets: {
    status: 429,
    message: "The account has {limit} live sockets open, and may have no more: close one",
    retryable: true,
  },
  internal: {
    status: 500,
    message: "Something went wrong on our side; the trace id names this request",
    retryable: true,
  },
  language_model_failed: {
    status: 502,
    message: "The language model of this server did not answer: {reason}",
    retryable: true,
  },
  overloaded: { status: 503, message: "The server is busy, try again soon", retryable: true },
  not_ready: { status: 503, message: "Not ready yet: {missing}; try again soon", retryable: true },
  unavailable: { status: 503, message: "The database cannot be reached, try again soon", retryable: true },
  storage_unavailable: {
    status: 503,
    message: "The storage of recordings and pictures cannot be reached, try again soon",
    retryable: true,
  },
  draining: { status: 503, message: "The server is shutting down, try again soon", retryable: true },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERROR_TABLE;

type Placeholders<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

/** The details that the message of an error needs. */
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
