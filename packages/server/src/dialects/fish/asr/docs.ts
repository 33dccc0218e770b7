import { ASR_MODEL_NAMES, asrBody, asrResult, DEFAULT_ASR_MODEL, MESSAGE_PACK_TYPE } from "@parlance/protocol";
import { ADMISSION_ERRORS, INFERENCE_HEADERS, TRACEPARENT } from "../../../openapi/inference.ts";
import type { RouteDocs } from "../../../openapi/route-docs.ts";

export const ASR_DOCS: RouteDocs = {
  id: "speechToText",
  summary: "Speech to text",
  description:
    "Transcribes one recording. The client splits a longer one and adds the offset of each part to its times; the client library and `parlance transcribe` do this. A recording without speech has an empty text.",
  headers: [
    {
      name: "model",
      in: "header",
      required: false,
      description: `\`${DEFAULT_ASR_MODEL}\` selects the engine by language; \`moonshine\` (English) and \`whisper\` name one.`,
      schema: { type: "string", enum: ASR_MODEL_NAMES, default: DEFAULT_ASR_MODEL },
    },
    TRACEPARENT,
  ],
  body: { name: "AsrRequest", schema: asrBody, types: ["multipart/form-data", MESSAGE_PACK_TYPE] },
  response: asrResult,
  responseHeaders: INFERENCE_HEADERS,
  errors: [
    "unknown_model",
    "audio_undecodable",
    "audio_without_track",
    "audio_too_short",
    "audio_too_long",
    "audio_too_costly",
    "insufficient_balance",
    "upload_too_slow",
    "audio_too_large",
    ...ADMISSION_ERRORS,
  ],
};
