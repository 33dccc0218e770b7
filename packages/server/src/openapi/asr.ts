import { ASR_MODEL_NAMES, DEFAULT_ASR_MODEL, MESSAGE_PACK_TYPE } from "@parlance/protocol";
import { errorResponses, KEY_ERRORS } from "./errors.ts";
import { inferenceHeaders, traceparent } from "./tts.ts";
import type { Operation } from "./types.ts";

const requestSchema = { $ref: "#/components/schemas/AsrRequest" };

export const asrOperation: Operation = {
  operationId: "speechToText",
  summary: "Speech to text",
  description:
    "Transcribes one recording. Longer ones are split by the caller, who adds each part's place to its times; the SDK and `parlance transcribe` do so. A recording in which nobody speaks has an empty text.",
  tags: ["Transcription"],
  security: [{ bearer: [] }],
  parameters: [
    {
      name: "model",
      in: "header",
      required: false,
      description: `\`${DEFAULT_ASR_MODEL}\` lets the language decide on the engine; \`moonshine\` (English) and \`whisper\` choose one.`,
      schema: { type: "string", enum: ASR_MODEL_NAMES, default: DEFAULT_ASR_MODEL },
    },
    traceparent,
  ],
  requestBody: {
    required: true,
    content: { "multipart/form-data": { schema: requestSchema }, [MESSAGE_PACK_TYPE]: { schema: requestSchema } },
  },
  responses: {
    200: {
      description: "What was said. The same shape for both encodings of the request.",
      headers: inferenceHeaders,
      content: { "application/json": { schema: { $ref: "#/components/schemas/AsrResult" } } },
    },
    ...errorResponses([
      "invalid_value",
      "unknown_model",
      "audio_undecodable",
      "audio_without_track",
      "audio_too_short",
      "audio_too_long",
      "audio_too_costly",
      ...KEY_ERRORS,
      "insufficient_balance",
      "upload_too_slow",
      "audio_too_large",
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
