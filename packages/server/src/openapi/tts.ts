import { DEFAULT_MODEL, FORMAT_RULES, MESSAGE_PACK_TYPE, MODEL_NAMES, TRACE_ID_HEADER } from "@parlance/protocol";
import { errorResponses, KEY_ERRORS } from "./errors.ts";
import type { Operation, Parameter, Response } from "./types.ts";

const requestSchema = { $ref: "#/components/schemas/TtsRequest" };

export const inferenceHeaders: NonNullable<Response["headers"]> = {
  [TRACE_ID_HEADER]: { description: "The request's trace id.", schema: { type: "string" } },
  "ratelimit-limit-concurrency": {
    description: "Requests that the account may have running.",
    schema: { type: "integer" },
  },
  "ratelimit-current-concurrency": {
    description: "Requests that it has running, this one included.",
    schema: { type: "integer" },
  },
  "ratelimit-limit": {
    description: "Requests that the account may start in a minute. Not there when that has no limit.",
    schema: { type: "integer" },
  },
  "ratelimit-remaining": { description: "Requests that it may start now.", schema: { type: "integer" } },
  "ratelimit-reset": {
    description: "Seconds until it may start as many as after a long rest.",
    schema: { type: "integer" },
  },
};

export const traceparent: Parameter = {
  name: "traceparent",
  in: "header",
  required: false,
  description: "W3C Trace Context. A valid one gives the request its trace id.",
  schema: { type: "string" },
};

const audio: Response = {
  description: "The audio, chunked as it is made. A connection that ends abnormally means that the file is cut.",
  headers: inferenceHeaders,
  content: Object.fromEntries(
    Object.values(FORMAT_RULES).map((rules) => [
      rules.contentType,
      { schema: { type: "string", contentMediaType: rules.contentType } },
    ]),
  ),
};

const events: Response = {
  description:
    "Unnamed events, each `data: {json}`, as the audio is made. A connection that ends abnormally means that some are missing.",
  headers: inferenceHeaders,
  content: {
    "text/event-stream": {
      schema: { $ref: "#/components/schemas/TimestampEvent" },
    },
  },
};

const common: Omit<Operation, "operationId" | "summary" | "description"> = {
  tags: ["Speech"],
  security: [{ bearer: [] }],
  parameters: [
    {
      name: "model",
      in: "header",
      required: true,
      description: `The synthesis model. \`${DEFAULT_MODEL}\` is recommended; \`piper\` and \`kokoro\` choose an engine; the others are aliases of the default.`,
      schema: { type: "string", enum: MODEL_NAMES, default: DEFAULT_MODEL },
    },
    traceparent,
  ],
  requestBody: {
    required: true,
    content: { "application/json": { schema: requestSchema }, [MESSAGE_PACK_TYPE]: { schema: requestSchema } },
  },
  responses: {
    ...errorResponses([
      "invalid_value",
      "unknown_model",
      "unknown_voice",
      "text_too_long",
      "recording_unusable",
      ...KEY_ERRORS,
      "invalid_session",
      "cross_site",
      "insufficient_balance",
      "payload_too_large",
      "unsupported_media_type",
      "invalid_request",
      "rate_limited",
      "concurrency_limited",
      "internal",
      "overloaded",
      "not_ready",
      "draining",
    ]),
  },
};

export const ttsOperation: Operation = {
  operationId: "textToSpeech",
  summary: "Text to speech",
  description:
    'Speaks a text and sends the audio as it is made. Checks run in this order: key, limits, shape, values, credit. In the body, `null` and `""` count as not given, and unknown keys are ignored.',
  ...common,
  responses: { 200: audio, ...common.responses },
};

export const ttsTimestampsOperation: Operation = {
  operationId: "textToSpeechWithTimestamps",
  summary: "Text to speech that says when each word is heard",
  description:
    "Speaks as `/v1/tts` does, with the same request, and sends events: the next bytes of the same file, the text they belong to and the times of its words. An `alignment` is a snapshot for its `chunk_seq`; a newer one replaces it.",
  ...common,
  responses: { 200: events, ...common.responses },
};
