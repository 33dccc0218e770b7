import { z } from "zod";
import { apiError, describeValue, shapeError } from "../wire/api-error.ts";
import { isRecord, parseShape, withoutAbsent } from "../wire/shape.ts";
import type { RecognizerModel } from "./asr-models.ts";
import { type AsrRules, checkAsrRequest } from "./asr-request.ts";

/** How the audio of a live stream is encoded: samples of one channel, or Opus in packets or in Ogg. */
export const LISTEN_FORMATS = ["pcm", "ulaw", "alaw", "opus"] as const;
export type ListenFormat = (typeof LISTEN_FORMATS)[number];

/** What ends a turn: the words and the silence after them, silence alone, or only the client. */
export const TURN_ENDS = ["words", "silence", "client"] as const;

export const LISTEN_RATES = { min: 8000, max: 96_000 } as const;
/** Milliseconds of silence that may end a turn. */
export const TURN_SILENCE_MS = { min: 150, max: 10_000 } as const;

const milliseconds = (meaning: string, value: number) =>
  z.number().optional().meta({ default: value, description: meaning });

/** The request of a `start`. The shape only; `parseListenRequest` checks the values, whose faults are 400s. */
export const listenRequestBody = z.object({
  format: z
    .string()
    .optional()
    .meta({
      enum: [...LISTEN_FORMATS],
      default: "pcm",
      description:
        "16-bit little-endian samples, G.711, or Opus: one packet in each frame, or an Ogg stream in pieces.",
    }),
  sample_rate: z
    .number()
    .optional()
    .meta({ default: 16_000, description: "8000 by default for `ulaw` and `alaw`; Opus needs none." }),
  language: z.string().optional().meta({ description: "ISO 639-1. Found in the first seconds when left out." }),
  partials: z.boolean().optional().meta({ default: true, description: "Whether text is sent while it is spoken." }),
  end_of_turn: z
    .string()
    .optional()
    .meta({ enum: [...TURN_ENDS], default: "words" }),
  sentence_ms: milliseconds("With `words`: the silence after words that end like a sentence.", 300),
  middle_ms: milliseconds("With `words`: the silence after words that end in the middle of one.", 1400),
  silence_ms: milliseconds("With `silence`.", 500),
});

/** A request to listen whose every value is allowed, with the defaults filled in. */
export interface ListenRequest {
  readonly format: ListenFormat;
  readonly sampleRate: number;
  /** ISO 639-1. Undefined: found. */
  readonly language: string | undefined;
  /** Undefined: the language determines it. */
  readonly engine: RecognizerModel | undefined;
  readonly partials: boolean;
  readonly turnEnd:
    | { readonly by: "client" }
    | { readonly by: "silence"; readonly silenceMs: number }
    | { readonly by: "words"; readonly sentenceMs: number; readonly middleMs: number };
}

/** Throws the 422 for a wrong shape, the 400 for the first wrong value. */
export function parseListenRequest(model: string | undefined, request: unknown, rules: AsrRules): ListenRequest {
  if (!isRecord(request)) {
    throw shapeError([{ loc: ["request"], type: "object_type", msg: "Expected an object", in: "body" }]);
  }
  const body = parseShape(listenRequestBody, withoutAbsent(request), "body");
  const format = oneOf("format", body.format ?? "pcm", LISTEN_FORMATS);
  const by = oneOf("end_of_turn", body.end_of_turn ?? "words", TURN_ENDS);
  const silence = (field: "sentence_ms" | "middle_ms" | "silence_ms", usual: number): number =>
    inRange(field, body[field] ?? usual, TURN_SILENCE_MS);
  const { engine, language } = checkAsrRequest(model, { language: body.language }, rules);
  return {
    format,
    sampleRate: wholeNumber(
      "sample_rate",
      inRange("sample_rate", body.sample_rate ?? (format === "pcm" ? 16_000 : 8000), LISTEN_RATES),
    ),
    language,
    engine,
    partials: body.partials ?? true,
    turnEnd: {
      client: { by: "client" } as const,
      silence: { by: "silence", silenceMs: silence("silence_ms", 500) } as const,
      words: { by: "words", sentenceMs: silence("sentence_ms", 300), middleMs: silence("middle_ms", 1400) } as const,
    }[by],
  };
}

function oneOf<T extends string>(field: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((each) => each === value);
  if (found !== undefined) return found;
  throw apiError("invalid_value", {
    field,
    value: describeValue(value),
    allowed: `it must be one of ${allowed.join(", ")}`,
  });
}

function inRange(field: string, value: number, { min, max }: { readonly min: number; readonly max: number }): number {
  if (value >= min && value <= max) return value;
  throw apiError("invalid_value", { field, value: describeValue(value), allowed: `it must be from ${min} to ${max}` });
}

function wholeNumber(field: string, value: number): number {
  if (Number.isInteger(value)) return value;
  throw apiError("invalid_value", { field, value: describeValue(value), allowed: "it must be a whole number" });
}
