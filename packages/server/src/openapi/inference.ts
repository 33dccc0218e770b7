import { type ErrorCode, MODEL_HEADER, TRACE_ID_HEADER } from "@parlance/protocol";
import type { Parameter, Response } from "./types.ts";

/** Errors of routes that take a slot of the account. */
export const ADMISSION_ERRORS: readonly ErrorCode[] = [
  "rate_limited",
  "concurrency_limited",
  "overloaded",
  "not_ready",
  "draining",
];

export const INFERENCE_HEADERS: NonNullable<Response["headers"]> = {
  [TRACE_ID_HEADER]: { description: "The trace id of the request.", schema: { type: "string" } },
  [MODEL_HEADER]: { description: "The model that was used, with aliases resolved.", schema: { type: "string" } },
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
