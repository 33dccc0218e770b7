import {
  ASR_MODEL_NAMES,
  asrBody,
  asrResult,
  DEFAULT_ASR_MODEL,
  MESSAGE_PACK_TYPE,
  RECOGNIZER_MODELS,
} from "@parlance/protocol";
import { INFERENCE_HEADERS, RECORDING_ERRORS, TRACEPARENT } from "../../../openapi/inference.ts";
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
      description: `\`${DEFAULT_ASR_MODEL}\` selects the engine by language; ${RECOGNIZER_MODELS.map((name) => `\`${name}\``).join(" and ")} select one.`,
      schema: { type: "string", enum: ASR_MODEL_NAMES, default: DEFAULT_ASR_MODEL },
    },
    TRACEPARENT,
  ],
  body: { name: "AsrRequest", schema: asrBody, types: ["multipart/form-data", MESSAGE_PACK_TYPE] },
  response: asrResult,
  responseHeaders: INFERENCE_HEADERS,
  errors: ["unknown_model", ...RECORDING_ERRORS],
};
