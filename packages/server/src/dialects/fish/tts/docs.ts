import {
  DEFAULT_MODEL,
  ENGINE_MODELS,
  type ErrorCode,
  MESSAGE_PACK_TYPE,
  MODEL_NAMES,
  SSML_IGNORED_HEADER,
  SSML_TYPE,
  ssmlQuery,
  ttsBody,
} from "@parlance/protocol";
import { ADMISSION_ERRORS, AUDIO_RESPONSE, INFERENCE_HEADERS, TRACEPARENT } from "../../../openapi/inference.ts";
import type { RouteDocs } from "../../../openapi/route-docs.ts";
import type { Parameter } from "../../../openapi/types.ts";

const MODEL: Parameter = {
  name: "model",
  in: "header",
  required: true,
  description: `The model. \`${DEFAULT_MODEL}\` is recommended; ${ENGINE_MODELS.map((name) => `\`${name}\``).join(" and ")} select an engine; the others are aliases of the default.`,
  schema: { type: "string", enum: MODEL_NAMES, default: DEFAULT_MODEL },
};

const HEADERS = {
  ...INFERENCE_HEADERS,
  [SSML_IGNORED_HEADER]: {
    description: "Elements and attributes of an SSML document that had no effect, separated by commas.",
    schema: { type: "string" },
  },
};

const ERRORS: readonly ErrorCode[] = [
  "unknown_model",
  "unknown_voice",
  "text_too_long",
  "text_unreadable",
  "recording_unusable",
  "insufficient_balance",
  "key_credit_limited",
  ...ADMISSION_ERRORS,
];

const common = {
  headers: [MODEL, TRACEPARENT],
  query: ssmlQuery,
  body: {
    name: "TtsRequest",
    schema: ttsBody,
    types: ["application/json", MESSAGE_PACK_TYPE],
    textTypes: [SSML_TYPE],
  },
  errors: ERRORS,
};

export const TTS_DOCS: RouteDocs = {
  id: "textToSpeech",
  summary: "Text to speech",
  description:
    'Streams the audio while it is made. Checks run in this order: key, limits, shape, values, credit. In the body, `null` and `""` count as absent, and unknown keys are ignored. With `application/ssml+xml` the body is an SSML document, and the other fields are in the query.',
  ...common,
  responses: {
    200: { ...AUDIO_RESPONSE, headers: HEADERS },
  },
};

export const TTS_TIMESTAMPS_DOCS: RouteDocs = {
  id: "textToSpeechWithTimestamps",
  summary: "Text to speech with the time of each word",
  description:
    "Takes the request of `/v1/tts` and streams events: the next bytes of the same audio, the text they belong to and the times of its words. An `alignment` is a snapshot for its `chunk_seq`; a newer one replaces it.",
  ...common,
  responses: {
    200: {
      description:
        "Unnamed events, each `data: {json}`. A connection that ends abnormally means that some are missing.",
      headers: HEADERS,
      content: { "text/event-stream": { schema: { $ref: "#/components/schemas/TimestampEvent" } } },
    },
  },
};
