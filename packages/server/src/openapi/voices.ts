import {
  type ErrorCode,
  MESSAGE_PACK_TYPE,
  newVoiceFields,
  VOICE_LIMITS,
  voiceChangeFields,
  voiceListQuery,
  voiceModel,
  voicePage,
} from "@parlance/protocol";
import { z } from "zod";
import { errorResponses, KEY_ERRORS } from "./errors.ts";
import type { JsonSchema, OpenApiDocument, Operation, Parameter } from "./types.ts";

const file = (description: string, most: number) =>
  z.unknown().meta({ type: "string", contentMediaType: "application/octet-stream", maxLength: most, description });

const voices = z.array(file("In any common container and codec.", VOICE_LIMITS.fileBytes)).meta({
  description: `1 to ${VOICE_LIMITS.files} recordings of one speaker, each of ${VOICE_LIMITS.minSeconds} to ${VOICE_LIMITS.maxSeconds} s. In MessagePack at most ${VOICE_LIMITS.messagePackBytes} bytes in all.`,
});
const cover = file("PNG, JPEG or WebP. It is written anew, at most 1024 pixels on a side.", VOICE_LIMITS.coverBytes);

export const VOICE_SCHEMAS = {
  Voice: voiceModel,
  VoicePage: voicePage,
  NewVoice: z.object({ ...newVoiceFields.shape, voices, cover_image: cover.optional() }),
  VoiceChange: z.object({ ...voiceChangeFields.shape, cover_image: cover.optional() }),
} satisfies Record<string, z.ZodType>;

export const VOICE_TAGS: OpenApiDocument["tags"] = [
  { name: "Voices", description: "The catalogue, and voices that are made from recordings." },
];

const id: Parameter = {
  name: "id",
  in: "path",
  required: true,
  description: "Of the voice: 32 hex digits.",
  schema: { type: "string" },
};

const query: readonly Parameter[] = Object.entries(voiceListQuery.shape).map(([name, schema]) => {
  const { description = "", ...rest } = schema.meta() ?? {};
  return { name, in: "query", required: false, description: String(description), schema: { type: "string", ...rest } };
});

const bytes = (type: string, description: string): Operation["responses"] => ({
  200: { description, content: { [type]: { schema: { type: "string", contentMediaType: type } as JsonSchema } } },
});

export const VOICE_PATHS: OpenApiDocument["paths"] = {
  "/model": {
    get: operation("listVoices", "The catalogue", "VoicePage", {
      description:
        "Public voices, those that came with the engines among them. `self=true` or one's own `author_id` also shows what is not public. `total` counts all pages.",
      parameters: query,
    }),
    post: {
      ...operation("createVoice", "Make a voice from recordings", "Voice", {
        description:
          "It can speak at once, and comes closer to its speaker in the minutes after. Recordings in which nobody speaks, that are cut off at their peaks or have several speakers are refused with what to do.",
        errors: [
          "invalid_value",
          "recording_unusable",
          "image_unusable",
          "too_many_voices",
          "upload_too_slow",
          "file_too_large",
          "payload_too_large",
          "unsupported_media_type",
          "rate_limited",
          "concurrency_limited",
          "overloaded",
          "not_ready",
          "draining",
        ],
        status: 201,
      }),
      requestBody: body("NewVoice", "multipart/form-data", MESSAGE_PACK_TYPE),
    },
  },
  "/model/{id}": {
    get: operation("getVoice", "One voice", "Voice", { parameters: [id], errors: ["voice_not_found"] }),
    patch: {
      ...operation("changeVoice", "Change what is said about a voice", "Voice", {
        parameters: [id],
        errors: [
          "invalid_value",
          "image_unusable",
          "voice_not_found",
          "forbidden",
          "file_too_large",
          "unsupported_media_type",
        ],
      }),
      requestBody: body(
        "VoiceChange",
        "application/json",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        MESSAGE_PACK_TYPE,
      ),
    },
    delete: operation("deleteVoice", "Delete a voice, its recordings and all that was made of them", undefined, {
      parameters: [id],
      errors: ["voice_not_found", "forbidden"],
      description: "Speech that is being made with it ends well.",
    }),
  },
  "/model/{id}/like": {
    put: operation("likeVoice", "Like a voice", "Voice", { parameters: [id], errors: ["voice_not_found"] }),
    delete: operation("unlikeVoice", "Take it back", "Voice", { parameters: [id], errors: ["voice_not_found"] }),
  },
  "/model/{id}/sample.mp3": {
    get: {
      ...operation("getVoiceSample", "What a voice sounds like", undefined, {
        parameters: [id],
        errors: ["voice_not_found", "overloaded", "not_ready"],
        description:
          "Made when it is first asked for. The address stands in the voice's `samples`. Ranges are answered.",
        responses: bytes("audio/mpeg", "A sentence or two."),
      }),
    },
  },
  "/model/{id}/cover": {
    get: operation("getVoiceCover", "The picture of a voice", undefined, {
      parameters: [id],
      errors: ["voice_not_found"],
      responses: bytes("image/*", "PNG or JPEG."),
    }),
  },
};

interface OperationOptions {
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly errors?: readonly ErrorCode[];
  readonly status?: 201;
  readonly responses?: Operation["responses"];
}

function operation(
  operationId: string,
  summary: string,
  answer: keyof typeof VOICE_SCHEMAS | undefined,
  { errors = [], status, responses, ...rest }: OperationOptions,
): Operation {
  const good: Operation["responses"] =
    answer === undefined
      ? { 204: { description: "Done." } }
      : {
          [status ?? 200]: {
            description: "The voice, or voices.",
            content: { "application/json": { schema: reference(answer) } },
          },
        };
  return {
    operationId,
    summary,
    tags: ["Voices"],
    security: [{ bearer: [] }, { session: [] }],
    ...rest,
    responses: {
      ...(responses ?? good),
      ...errorResponses([...KEY_ERRORS, "invalid_session", "invalid_request", "internal", ...errors]),
    },
  };
}

function body(schema: keyof typeof VOICE_SCHEMAS, ...types: readonly string[]): NonNullable<Operation["requestBody"]> {
  return { required: true, content: Object.fromEntries(types.map((type) => [type, { schema: reference(schema) }])) };
}

function reference(schema: keyof typeof VOICE_SCHEMAS): JsonSchema {
  return { $ref: `#/components/schemas/${schema}` };
}
