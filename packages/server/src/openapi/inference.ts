import { type ErrorCode, FORMAT_RULES, MODEL_HEADER, TRACE_ID_HEADER } from "@parlance/protocol";
import type { Parameter, Response } from "./types.ts";

/** Errors of routes that take a slot of the account. */
export const ADMISSION_ERRORS: readonly ErrorCode[] = [
  "rate_limited",
  "concurrency_limited",
  "key_rate_limited",
  "key_concurrency_limited",
  "overloaded",
  "not_ready",
  "draining",
];

/** Errors of routes that transcribe a recording. */
export const RECORDING_ERRORS: readonly ErrorCode[] = [
  "audio_undecodable",
  "audio_without_track",
  "audio_too_short",
  "audio_too_long",
  "audio_too_costly",
  "insufficient_balance",
  "key_credit_limited",
  "upload_too_slow",
  "audio_too_large",
  ...ADMISSION_ERRORS,
];

export const INFERENCE_HEADERS: NonNullable<Response["headers"]> = {
  [TRACE_ID_HEADER]: { description: "The trace id of the request.", schema: { type: "string" } },
  [MODEL_HEADER]: { description: "The model that was used, with aliases resolved.", schema: { type: "string" } },
  "ratelimit-policy": {
    description: "The quotas of the account and of its key, by draft-ietf-httpapi-ratelimit-headers-11.",
    schema: { type: "string" },
  },
  ratelimit: { description: "What is left of each of these quotas.", schema: { type: "string" } },
  "ratelimit-limit-concurrency": {
    description: "How many requests of the account may run at a time.",
    schema: { type: "integer" },
  },
  "ratelimit-current-concurrency": {
    description: "How many requests of the account run now, with this one.",
    schema: { type: "integer" },
  },
  "ratelimit-limit": {
    description: "How many requests the account may start in a minute. Absent where there is no limit.",
    schema: { type: "integer" },
  },
  "ratelimit-remaining": { description: "How many it may start now.", schema: { type: "integer" } },
  "ratelimit-reset": { description: "Seconds until the full quota is available again.", schema: { type: "integer" } },
};

export const TRACEPARENT: Parameter = {
  name: "traceparent",
  in: "header",
  required: false,
  description: "W3C Trace Context. A valid one sets the trace id of the request.",
  schema: { type: "string" },
};

/** Speech in every format. */
export const AUDIO_RESPONSE: Response = {
  description: "The audio, chunked. A connection that ends abnormally means that audio is missing.",
  headers: INFERENCE_HEADERS,
  content: Object.fromEntries(
    Object.values(FORMAT_RULES).map(({ contentType }) => [
      contentType,
      { schema: { type: "string", contentMediaType: contentType } },
    ]),
  ),
};
