import type { ErrorCode } from "@parlance/protocol";
import { z } from "zod";
import {
  ADMISSION_ERRORS,
  AUDIO_RESPONSE,
  INFERENCE_HEADERS,
  RECORDING_ERRORS,
  TRACEPARENT,
} from "../../openapi/inference.ts";
import type { RouteDocs } from "../../openapi/route-docs.ts";
import { jsonSchema } from "../../openapi/schemas.ts";
import type { Response } from "../../openapi/types.ts";
import { elevenLabsSpeechBody, elevenLabsSpeechQuery } from "./speech-body.ts";

const SPEECH_ERRORS: readonly ErrorCode[] = [
  "unknown_voice",
  "text_too_long",
  "insufficient_balance",
  "key_credit_limited",
  ...ADMISSION_ERRORS,
];
const VOICE_ERRORS: readonly ErrorCode[] = ["voice_not_found"];

/** A line of a stream has none if it belongs to the characters before. */
const alignment = z
  .object({
    characters: z.array(z.string()),
    character_start_times_seconds: z.array(z.number()),
    character_end_times_seconds: z.array(z.number()),
  })
  .nullable();
const timedAudio = z.object({ audio_base64: z.string(), alignment, normalized_alignment: alignment });

const timed: Response = {
  description: "The audio in base64, with the start and the end of each character in seconds.",
  headers: INFERENCE_HEADERS,
  content: { "application/json": { schema: jsonSchema(timedAudio) } },
};

const speech = (id: string, summary: string, response: Response): RouteDocs => ({
  id,
  summary,
  headers: [TRACEPARENT],
  query: elevenLabsSpeechQuery,
  body: { name: "ElevenLabsSpeechRequest", schema: elevenLabsSpeechBody },
  errors: SPEECH_ERRORS,
  responses: { 200: response },
});

/** By the end of the path. */
export const SPEECH_DOCS = {
  "": speech("elevenLabsSpeech", "Text to speech, as clients of ElevenLabs ask for it", AUDIO_RESPONSE),
  "/stream": speech("elevenLabsSpeechStream", "The same", AUDIO_RESPONSE),
  "/with-timestamps": speech("elevenLabsTimedSpeech", "Text to speech with the time of each character", timed),
  "/stream/with-timestamps": speech("elevenLabsTimedSpeechStream", "The same as lines of JSON", timed),
};

const voice = z.looseObject({ voice_id: z.string(), name: z.string(), category: z.string(), is_owner: z.boolean() });

export const VOICE_DOCS = {
  list: { id: "elevenLabsVoices", summary: "List voices", response: z.object({ voices: z.array(voice) }) },
  search: {
    id: "elevenLabsVoicePages",
    summary: "List voices in pages",
    query: z.object({
      page_size: z.number().int().optional().meta({ default: 10, description: "Voices in a page." }),
      next_page_token: z.string().optional().meta({ description: "That of the page before." }),
      search: z.string().optional().meta({ description: "Part of the name." }),
    }),
    response: z.object({
      voices: z.array(voice),
      has_more: z.boolean(),
      total_count: z.number().int(),
      next_page_token: z.string().nullable(),
    }),
  },
  get: { id: "elevenLabsVoice", summary: "Get a voice", response: voice, errors: VOICE_ERRORS },
  remove: {
    id: "elevenLabsDeleteVoice",
    summary: "Delete a voice",
    response: z.object({ status: z.string() }),
    errors: [...VOICE_ERRORS, "forbidden"],
  },
  add: {
    id: "elevenLabsAddVoice",
    summary: "Make a voice from recordings",
    body: {
      name: "ElevenLabsNewVoice",
      schema: z.object({
        name: z.string(),
        files: z.array(z.string()).meta({ description: "The recordings." }),
        description: z.string().optional(),
        remove_background_noise: z.string().optional(),
      }),
      types: ["multipart/form-data"],
    },
    response: z.object({ voice_id: z.string(), requires_verification: z.boolean() }),
    errors: ["recording_unusable", "too_many_voices", ...ADMISSION_ERRORS],
  },
} as const satisfies Readonly<Record<string, RouteDocs>>;

export const MODEL_DOCS: RouteDocs = {
  id: "elevenLabsModels",
  summary: "List models",
  description: "The answer to `GET /v1/models` with the header `xi-api-key`.",
  response: [z.looseObject({ model_id: z.string(), name: z.string() })],
};

export const TRANSCRIPT_DOCS: RouteDocs = {
  id: "elevenLabsTranscript",
  summary: "Speech to text, as clients of ElevenLabs ask for it",
  headers: [TRACEPARENT],
  body: {
    name: "ElevenLabsTranscriptRequest",
    schema: z.object({
      file: z.string().meta({ contentMediaType: "application/octet-stream" }),
      model_id: z.string().optional(),
      language_code: z.string().optional(),
      timestamps_granularity: z.enum(["none", "word", "character"]).optional(),
    }),
    types: ["multipart/form-data"],
  },
  response: z.object({
    language_code: z.string(),
    language_probability: z.number(),
    text: z.string(),
    words: z.array(z.looseObject({ text: z.string(), start: z.number(), end: z.number(), type: z.string() })),
    audio_duration_secs: z.number(),
  }),
  errors: RECORDING_ERRORS,
};
