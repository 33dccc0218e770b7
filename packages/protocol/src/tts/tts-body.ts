import { z } from "zod";
import { pronunciationList } from "../accounts/pronunciations.ts";
import { LIMITS } from "../wire/limits.ts";
import { isRecord, parseShape, withoutAbsent } from "../wire/shape.ts";
import {
  AUDIO_FORMATS,
  type AudioFormatName,
  DEFAULT_FORMAT,
  DEFAULT_LATENCY,
  DEFAULT_MP3_BITRATE,
  LATENCIES,
  type LatencyName,
  MP3_BITRATES,
  OPUS_BITRATE_AUTO,
  OPUS_BITRATES,
} from "./formats.ts";
import { PROSODY_RANGES, type Range, TTS_RANGES } from "./ranges.ts";
import { toAudioBytes } from "./reference-audio.ts";

// The schema checks shape only (a wrong type is 422). Allowed values are in its metadata, so that the API
// description shows them; `tts-request.ts` checks them, because a wrong value is a 400 with its own message.
const integer = () =>
  z.number().refine(Number.isInteger, { error: "Expected an integer", params: { type: "int_type" } });
const ranged = (type: "integer" | "number", range: Range, description: string) =>
  (type === "integer" ? integer() : z.number()).optional().meta({
    type,
    minimum: range.min,
    maximum: range.max,
    default: range.default,
    description,
  });
const oneOf = (values: readonly number[], description: string, fallback?: number) =>
  integer()
    .optional()
    .meta({
      type: "integer",
      enum: [...values],
      description,
      ...(fallback === undefined ? {} : { default: fallback }),
    });
const ignored = (type: string, description: string) =>
  z
    .unknown()
    .optional()
    .meta({ type, description: `${description} Accepted, no effect here.` });

const audio = z.unknown().transform((value, context): Uint8Array => {
  const bytes = toAudioBytes(value);
  if (bytes !== undefined) return bytes;
  context.addIssue({
    code: "custom",
    message: 'Expected bytes, base64, an array of bytes 0–255 or {type:"Buffer",data}',
    params: { type: "audio_encoding" },
  });
  return z.NEVER;
});

const reference = z.object({
  audio: audio.meta({
    type: "string",
    contentEncoding: "base64",
    description: 'Bytes (MessagePack); in JSON base64, an array of integers or `{"type":"Buffer","data":[…]}`.',
  }),
  text: z.string().optional().meta({ description: "What is said in the audio." }),
});

const prosody = z.object({
  speed: ranged("number", PROSODY_RANGES.speed, "Pace; 2 is twice as fast."),
  volume: ranged("number", PROSODY_RANGES.volume, "Gain in dB; a limiter prevents clipping."),
  normalize_loudness: z
    .boolean()
    .optional()
    .meta({ default: false, description: "Normalize the loudness of the speech." }),
});

const referenceId = z.unknown().transform((value, context): string | string[] => {
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((item): item is string => typeof item === "string")) {
    return value;
  }
  context.addIssue({
    code: "custom",
    message: "Expected a string or an array of strings",
    params: { type: "string_type" },
  });
  return z.NEVER;
});

export const ttsBody = z.object({
  text: z.string().meta({
    maxLength: LIMITS.textCharacters,
    description: "What to say. Empty text gives a valid file without speech.",
  }),
  reference_id: referenceId.optional().meta({
    anyOf: [{ type: "string" }, { type: "array", items: { type: "string" }, maxItems: LIMITS.speakers }],
    description:
      'The voice, by id or short name; an array gives the voices of `<|speaker:0|>`, `<|speaker:1|>`, …; `""` in it is the default voice',
  }),
  references: z.array(reference).optional().meta({
    description:
      "Recordings of one speaker, for a voice that is not stored; or an array of such arrays, one for each speaker. At most 20 recordings in all. Ignored when `reference_id` is set.",
  }),
  language: z.string().optional().meta({
    description: "The language of the text, such as `en`, `es`, `pt-BR`. Found for each sentence when left out.",
  }),
  pronunciations: pronunciationList.optional(),
  format: z
    .string()
    .optional()
    .meta({
      enum: [...AUDIO_FORMATS],
      default: DEFAULT_FORMAT,
      description:
        "`pcm` is 16-bit little-endian mono, `opus` is Ogg, `aac` is AAC-LC in ADTS, `ulaw` and `alaw` are G.711 without a header.",
    }),
  sample_rate: integer().optional().meta({
    type: "integer",
    description:
      "In Hz. mp3, wav, pcm, aac, flac: 8000 11025 12000 16000 22050 24000 32000 44100 48000 (default 44100); opus: 48000; ulaw, alaw: 8000.",
  }),
  mp3_bitrate: oneOf(
    MP3_BITRATES,
    "In kbit/s. At most 160 below 32 kHz, and 64 below 16 kHz: more is lowered.",
    DEFAULT_MP3_BITRATE,
  ),
  opus_bitrate: oneOf(
    OPUS_BITRATES,
    "-1000 lets the encoder choose; kbit/s or bit/s. Ignored unless the format is opus.",
    OPUS_BITRATE_AUTO,
  ),
  latency: z
    .string()
    .optional()
    .meta({
      enum: [...LATENCIES],
      default: DEFAULT_LATENCY,
      description: "`balanced` (and its alias `low`) gives the earliest first audio, `normal` the smoothest speech.",
    }),
  chunk_length: ranged("integer", TTS_RANGES.chunk_length, "Maximum text of one chunk, in characters."),
  min_chunk_length: ranged("integer", TTS_RANGES.min_chunk_length, "Minimum text of one chunk, in characters."),
  normalize: z
    .boolean()
    .optional()
    .meta({ default: true, description: "Read numbers, dates, money and units in words." }),
  prosody: prosody.optional().meta({ description: "Each field may be left out." }),
  temperature: ranged("number", TTS_RANGES.temperature, "How much the engine's own noise varies the speech."),
  top_p: ranged("number", TTS_RANGES.top_p, "Checked, no effect here."),
  seed: integer().optional().meta({
    type: "integer",
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
    description: "The same request with the same seed gives the same audio. Random when left out.",
  }),
  repetition_penalty: ignored("number", "Sampling option of other engines."),
  max_new_tokens: ignored("integer", "Sampling option of other engines."),
  condition_on_previous_chunks: ignored("boolean", "Chunking option of other engines."),
  early_stop_threshold: ignored("number", "Sampling option of other engines."),
  features: ignored("array", "Feature switches of other engines."),
});

/** The body of a synthesis request as clients write it. */
export type TtsInput = Omit<z.input<typeof ttsBody>, "format" | "latency" | "reference_id" | "references"> & {
  readonly format?: AudioFormatName | undefined;
  readonly latency?: LatencyName | undefined;
  readonly reference_id?: string | readonly string[] | undefined;
  /** Of one speaker, or an array for each speaker. */
  readonly references?: readonly ReferenceInput[] | readonly (readonly ReferenceInput[])[] | undefined;
};

interface ReferenceInput {
  readonly audio: Uint8Array;
  readonly text?: string | undefined;
}

/** The same with the recordings of several speakers. */
const speakersBody = ttsBody.extend({ references: z.array(z.array(reference)).optional() });

/** A body that has the right shape; its values are not checked yet. */
export type TtsBody = z.output<typeof ttsBody> | z.output<typeof speakersBody>;

/** Throws the 422 that lists every field with the wrong shape. */
export function parseTtsBody(body: unknown): TtsBody {
  const given = withoutAbsentOptions(body);
  const isNested = isRecord(given) && Array.isArray(given.references) && Array.isArray(given.references[0]);
  return isNested ? parseShape(speakersBody, given, "body") : parseShape(ttsBody, given, "body");
}

function withoutAbsentOptions(body: unknown): unknown {
  const given = withoutAbsent(body, ["text"]);
  if (!isRecord(given)) return given;
  return {
    ...given,
    ...(given.prosody === undefined ? {} : { prosody: withoutAbsent(given.prosody) }),
    ...(Array.isArray(given.references) ? { references: given.references.map(withoutAbsentInReference) } : {}),
  };
}

function withoutAbsentInReference(given: unknown): unknown {
  return Array.isArray(given) ? given.map((each) => withoutAbsent(each)) : withoutAbsent(given);
}
