import {
  MESSAGE_PACK_TYPE,
  newVoiceFields,
  VOICE_LIMITS,
  voiceChangeFields,
  voiceListQuery,
  voiceModel,
  voicePage,
} from "@parlance/protocol";
import { z } from "zod";
import { ADMISSION_ERRORS } from "../../../openapi/inference.ts";
import type { RouteDocs } from "../../../openapi/route-docs.ts";
import type { Response } from "../../../openapi/types.ts";

const file = (description: string, maxLength: number) =>
  z.unknown().meta({ type: "string", contentMediaType: "application/octet-stream", maxLength, description });

const recordings = z.array(file("In any common container and codec.", VOICE_LIMITS.fileBytes)).meta({
  description: `1 to ${VOICE_LIMITS.files} recordings of one speaker, each of ${VOICE_LIMITS.minSeconds} to ${VOICE_LIMITS.maxSeconds} s. In MessagePack at most ${VOICE_LIMITS.messagePackBytes} bytes in all; in JSON base64, at most ${VOICE_LIMITS.jsonBytes} bytes.`,
});
const cover = file("PNG, JPEG or WebP. It is stored with at most 1024 pixels on a side.", VOICE_LIMITS.coverBytes);

const bytes = (type: string, description: string): Readonly<Record<string, Response>> => ({
  200: { description, content: { [type]: { schema: { type: "string", contentMediaType: type } } } },
});

export const MODEL_DOCS = {
  list: {
    id: "listVoices",
    summary: "List voices",
    description:
      "Public voices, with the stock voices. `self=true` or the caller's own `author_id` also lists what is not public. `total` counts all pages.",
    query: voiceListQuery,
    response: voicePage,
  },
  get: { id: "getVoice", summary: "Get a voice", response: voiceModel, errors: ["voice_not_found"] },
  create: {
    id: "createVoice",
    summary: "Create a voice from recordings",
    description:
      "The voice can speak at once, in all languages of its engine. Where no texts are sent, its pace is set in the minutes after. Recordings without speech, with clipping or with several speakers are refused, with advice in the message.",
    body: {
      name: "NewVoice",
      schema: z.object({ ...newVoiceFields.shape, voices: recordings, cover_image: cover.optional() }),
      types: ["multipart/form-data", MESSAGE_PACK_TYPE, "application/json"],
    },
    response: voiceModel,
    status: 201,
    errors: [
      "recording_unusable",
      "image_unusable",
      "too_many_voices",
      "upload_too_slow",
      "file_too_large",
      ...ADMISSION_ERRORS,
    ],
  },
  change: {
    id: "changeVoice",
    summary: "Change a voice",
    body: {
      name: "VoiceChange",
      schema: z.object({ ...voiceChangeFields.shape, cover_image: cover.optional() }),
      types: ["application/json", "application/x-www-form-urlencoded", "multipart/form-data", MESSAGE_PACK_TYPE],
    },
    response: voiceModel,
    errors: [
      "image_unusable",
      "voice_not_found",
      "forbidden",
      "upload_too_slow",
      "file_too_large",
      "rate_limited",
      "concurrency_limited",
      "key_rate_limited",
      "key_concurrency_limited",
      "overloaded",
    ],
  },
  remove: {
    id: "deleteVoice",
    summary: "Delete a voice with its recordings",
    description: "Requests that are speaking with it still finish.",
    errors: ["voice_not_found", "forbidden"],
  },
  like: { id: "likeVoice", summary: "Like a voice", response: voiceModel, errors: ["voice_not_found"] },
  unlike: { id: "unlikeVoice", summary: "Remove the like", response: voiceModel, errors: ["voice_not_found"] },
  sample: {
    id: "getVoiceSample",
    summary: "Get a sample of a voice",
    description: "Made at the first request. Its address is in `samples` of the voice. Range requests are supported.",
    responses: bytes("audio/mpeg", "One or two sentences."),
    errors: ["voice_not_found", "overloaded", "not_ready"],
  },
  cover: {
    id: "getVoiceCover",
    summary: "Get the picture of a voice",
    responses: bytes("image/*", "PNG or JPEG."),
    errors: ["voice_not_found"],
  },
} as const satisfies Record<string, RouteDocs>;
