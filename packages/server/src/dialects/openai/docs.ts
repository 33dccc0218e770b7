import { type ErrorCode, FORMAT_RULES } from "@parlance/protocol";
import { z } from "zod";
import { ADMISSION_ERRORS, INFERENCE_HEADERS, RECORDING_ERRORS, TRACEPARENT } from "../../openapi/inference.ts";
import type { RouteDocs } from "../../openapi/route-docs.ts";
import type { JsonSchema } from "../../openapi/types.ts";
import { speechBody } from "./speech-body.ts";
import { transcriptionBody, translationBody } from "./transcript-fields.ts";

/** The ids of operations are unique, and each route has two paths. */
const idOf = (id: string, prefix: string): string => (prefix === "/v1" ? id : `${id}Compat`);
const errorSchema = "OpenAiError";

const SPEECH_ERRORS: readonly ErrorCode[] = [
  "unknown_model",
  "unknown_voice",
  "text_too_long",
  "insufficient_balance",
  "key_credit_limited",
  ...ADMISSION_ERRORS,
];

const events = { "text/event-stream": { schema: { type: "string" } } };

export function speechDocs(prefix: string): RouteDocs {
  return {
    id: idOf("createSpeech", prefix),
    summary: "Text to speech",
    description: "The audio, or events with the audio, while it is made.",
    headers: [TRACEPARENT],
    body: { name: "CreateSpeechRequest", schema: speechBody },
    errors: SPEECH_ERRORS,
    errorSchema,
    responses: {
      200: {
        description:
          "The audio, chunked. A connection that ends abnormally, or an event of the type `error`, means that audio is missing.",
        headers: INFERENCE_HEADERS,
        content: {
          ...Object.fromEntries(
            Object.values(FORMAT_RULES).map(({ contentType }) => [
              contentType,
              { schema: { type: "string", contentMediaType: contentType } },
            ]),
          ),
          ...events,
        },
      },
    },
  };
}

const transcript: JsonSchema = {
  type: "object",
  required: ["text"],
  properties: {
    text: { type: "string", description: "The transcript." },
    language: { type: "string", description: "In `verbose_json`: its name in English." },
    duration: { type: "number", description: "In `verbose_json`: seconds of the audio." },
    segments: { type: "array", items: { type: "object" }, description: "In `verbose_json`: parts with their times." },
    words: { type: "array", items: { type: "object" }, description: "In `verbose_json` with times of words." },
  },
};
const transcriptContent = {
  "application/json": { schema: transcript },
  "text/plain": { schema: { type: "string" } },
};

export function transcriptionDocs(prefix: string): RouteDocs {
  return {
    id: idOf("createTranscription", prefix),
    summary: "Speech to text",
    headers: [TRACEPARENT],
    body: { name: "CreateTranscriptionRequest", schema: transcriptionBody, types: ["multipart/form-data"] },
    errors: RECORDING_ERRORS,
    errorSchema,
    responses: {
      200: {
        description: "The transcript.",
        headers: INFERENCE_HEADERS,
        content: { ...transcriptContent, ...events },
      },
    },
  };
}

export function translationDocs(prefix: string): RouteDocs {
  return {
    id: idOf("createTranslation", prefix),
    summary: "Speech in any language to English text",
    headers: [TRACEPARENT],
    body: { name: "CreateTranslationRequest", schema: translationBody, types: ["multipart/form-data"] },
    errors: RECORDING_ERRORS,
    errorSchema,
    responses: { 200: { description: "The translation.", headers: INFERENCE_HEADERS, content: transcriptContent } },
  };
}

export function realtimeDocs(prefix: string): RouteDocs {
  return {
    id: idOf("checkRealtime", prefix),
    summary: "Whether the socket of this path holds conversations",
    response: z.object({
      object: z.literal("realtime").meta({ description: "Always `realtime`." }),
      modalities: z.array(z.string()).meta({
        description: "What a conversation can send: `audio` and `text`. Empty: the server has no language model.",
      }),
    }),
    errorSchema,
  };
}

const modelId = z.string().meta({ description: "The `model` of requests." });
const model = z.object({
  id: modelId,
  object: z.literal("model").meta({ description: "Always `model`." }),
  created: z.int().meta({ description: "Seconds since 1970; the same for all." }),
  owned_by: z.string().meta({ description: "Always `parlance`." }),
});
const named = z.object({
  id: z.string().meta({ description: "The `voice` of requests." }),
  name: z.string().meta({ description: "The title of the voice." }),
});

export const CATALOG_DOCS = {
  models: (prefix: string): RouteDocs => ({
    id: idOf("listModels", prefix),
    summary: "List models",
    response: z.object({
      object: z.literal("list").meta({ description: "Always `list`." }),
      data: z.array(model).meta({ description: "All models." }),
    }),
    errorSchema,
  }),
  model: (prefix: string): RouteDocs => ({
    id: idOf("retrieveModel", prefix),
    summary: "Get a model",
    response: model,
    errors: ["model_not_found"],
    errorSchema,
  }),
  audioModels: (prefix: string): RouteDocs => ({
    id: idOf("listAudioModels", prefix),
    summary: "List models, as Open WebUI reads them",
    response: z.object({
      models: z.array(z.object({ id: modelId })).meta({ description: "All models." }),
    }),
    errorSchema,
  }),
  voices: (prefix: string): RouteDocs => ({
    id: idOf("listAudioVoices", prefix),
    summary: "List stock voices and the voices of the account",
    response: z.object({ voices: z.array(named).meta({ description: "Stock voices first." }) }),
    errorSchema,
  }),
};
