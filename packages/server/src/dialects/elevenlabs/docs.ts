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
import { transcriptFields } from "./transcript-fields.ts";

const SPEECH_ERRORS: readonly ErrorCode[] = [
  "unknown_voice",
  "text_too_long",
  "insufficient_balance",
  "key_credit_limited",
  ...ADMISSION_ERRORS,
];
const VOICE_ERRORS: readonly ErrorCode[] = ["voice_not_found"];

const alignment = z.object({
  characters: z.array(z.string()).meta({ description: "The characters of the text." }),
  character_start_times_seconds: z.array(z.number()).meta({ description: "When each of them starts." }),
  character_end_times_seconds: z.array(z.number()).meta({ description: "When each of them ends." }),
});
const timedAudio = z.object({
  audio_base64: z.string().meta({ description: "The audio, or the next part of it." }),
  alignment: alignment
    .nullable()
    .meta({ description: "Null in a line of a stream that belongs to the characters before." }),
  normalized_alignment: alignment.nullable().meta({ description: "The same as `alignment`." }),
});

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

const voice = z.looseObject({
  voice_id: z.string().meta({ description: "32 hex digits." }),
  name: z.string().meta({ description: "The title of the voice." }),
  category: z.string().meta({ description: "`premade` for stock voices, `cloned` for others." }),
  is_owner: z.boolean().meta({ description: "Whether it belongs to the caller." }),
});
const voices = z.array(voice).meta({ description: "The caller's own, public and stock voices." });

export const VOICE_DOCS = {
  list: { id: "elevenLabsVoices", summary: "List voices", response: z.object({ voices }) },
  search: {
    id: "elevenLabsVoicePages",
    summary: "List voices in pages",
    query: z.object({
      page_size: z.number().int().optional().meta({ default: 10, description: "Voices in a page." }),
      next_page_token: z.string().optional().meta({ description: "That of the page before." }),
      search: z.string().optional().meta({ description: "Part of the name." }),
    }),
    response: z.object({
      voices,
      has_more: z.boolean().meta({ description: "Whether there is another page." }),
      total_count: z.number().int().meta({ description: "Voices of all pages." }),
      next_page_token: z.string().nullable().meta({ description: "For the next page; null: this is the last one." }),
    }),
  },
  get: { id: "elevenLabsVoice", summary: "Get a voice", response: voice, errors: VOICE_ERRORS },
  remove: {
    id: "elevenLabsDeleteVoice",
    summary: "Delete a voice",
    response: z.object({ status: z.string().meta({ description: "Always `ok`." }) }),
    errors: [...VOICE_ERRORS, "forbidden"],
  },
  add: {
    id: "elevenLabsAddVoice",
    summary: "Make a voice from recordings",
    body: {
      name: "ElevenLabsNewVoice",
      schema: z.object({
        name: z.string().meta({ description: "The title of the voice." }),
        files: z.array(z.string()).meta({ description: "The recordings." }),
        description: z.string().optional().meta({ description: "Anything about the voice." }),
        remove_background_noise: z
          .string()
          .optional()
          .meta({ description: "`true`: removes noise from the recordings first." }),
      }),
      types: ["multipart/form-data"],
    },
    response: z.object({
      voice_id: voice.shape.voice_id,
      requires_verification: z.boolean().meta({ description: "Always false." }),
    }),
    errors: ["recording_unusable", "too_many_voices", ...ADMISSION_ERRORS],
  },
} as const satisfies Readonly<Record<string, RouteDocs>>;

export const MODEL_DOCS: RouteDocs = {
  id: "elevenLabsModels",
  summary: "List models",
  description: "The answer to `GET /v1/models` with the header `xi-api-key`.",
  response: [
    z.looseObject({
      model_id: z.string().meta({ description: "The `model_id` of requests." }),
      name: z.string().meta({ description: "For people." }),
    }),
  ],
};

export const TRANSCRIPT_DOCS: RouteDocs = {
  id: "elevenLabsTranscript",
  summary: "Speech to text, as clients of ElevenLabs ask for it",
  headers: [TRACEPARENT],
  body: {
    name: "ElevenLabsTranscriptRequest",
    schema: z.object({
      file: z
        .string()
        .meta({ contentMediaType: "application/octet-stream", description: "The recording, in any common format." }),
      ...transcriptFields.shape,
    }),
    types: ["multipart/form-data"],
  },
  response: z.object({
    language_code: z.string().meta({ description: "ISO 639-1; `en` when the recording has no speech." }),
    language_probability: z.number().meta({ description: "1, or 0 when the recording has no speech." }),
    text: z.string().meta({ description: "The transcript." }),
    words: z
      .array(
        z.looseObject({
          text: z.string().meta({ description: "The word, or the space before it." }),
          start: z.number().meta({ description: "Seconds from the start of the audio." }),
          end: z.number().meta({ description: "Seconds from the start of the audio." }),
          type: z.string().meta({ description: "`word` or `spacing`." }),
        }),
      )
      .meta({ description: "Empty where `timestamps_granularity` is `none`." }),
    audio_duration_secs: z.number().meta({ description: "Seconds of the audio." }),
  }),
  errors: RECORDING_ERRORS,
};
