import { z } from "zod";
import type { ValidationIssue } from "../wire/api-error.ts";
import { LIMITS } from "../wire/limits.ts";
import { parseShape, withoutAbsent } from "../wire/shape.ts";

/** A field that may be given once or several times. */
const oneOrMore = z.union([z.string(), z.array(z.string())]);

export const GRANULARITIES = ["segment", "word"] as const;
export type Granularity = (typeof GRANULARITIES)[number];

// As with synthesis the schema checks shape only; `asr-request.ts` checks the values, whose faults are 400s.
export const asrOptions = z.object({
  language: z.string().optional().meta({
    description:
      "ISO 639-1 code of the spoken language, such as `en`, `es`, `ja`; of `en-US` the first part counts. `zh-Hans` and `zh-Hant` (also `zh-CN`, `zh-TW` and other regions) choose simplified or traditional characters. Detected for each stretch of speech when left out.",
  }),
  ignore_timestamps: z.boolean().optional().meta({
    default: false,
    description: "`true` leaves `segments` empty. In multipart only the string `true` is true.",
  }),
  granularity: z
    .string()
    .optional()
    .meta({
      enum: [...GRANULARITIES],
      default: "segment",
      description: "What `segments` are: sentences and phrases, or single words.",
    }),
  speakers: z
    .union([z.boolean(), z.number()])
    .optional()
    .meta({
      default: false,
      description: `\`true\` enables speaker diarization: each segment has a \`speaker\`. A number from 1 to ${LIMITS.asrSpeakers.count} is the number of speakers.`,
    }),
  known_speakers: oneOrMore.optional().meta({
    description: `Ids of at most ${LIMITS.asrSpeakers.known} cloned voices of the account. A speaker who has one of these voices gets its title as \`speaker\`. Implies \`speakers\`.`,
  }),
});

/** The whole body, for the API description. The recording itself is not parsed by a schema. */
export const asrBody = z.object({
  audio: z.unknown().meta({
    type: "string",
    contentMediaType: "application/octet-stream",
    maxLength: LIMITS.asrFileBytes,
    description: `The recording, in any common container and codec, which are read from its bytes. ${LIMITS.asrSeconds.min} s to ${LIMITS.asrSeconds.max / 60} min.`,
  }),
  ...asrOptions.shape,
});

/** Options that have the right shape; their values are not checked yet. */
export type AsrOptions = z.output<typeof asrOptions>;

/** Throws the 422 that lists every field with the wrong shape, after the `issues` of the recording itself. */
export function parseAsrOptions(fields: unknown, issues: readonly ValidationIssue[]): AsrOptions {
  return parseShape(asrOptions, withoutAbsent(fields), "body", issues);
}

/** Multipart has only strings. Whatever else a field is (given twice: an array) stays as it is, and is refused. */
export function fromMultipart(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { ignore_timestamps: ignore, speakers } = fields;
  return {
    ...fields,
    ...(typeof ignore === "string" ? { ignore_timestamps: ignore === "true" } : {}),
    ...(typeof speakers === "string" ? { speakers: speakersOf(speakers) } : {}),
  };
}

function speakersOf(given: string): unknown {
  if (given === "true" || given === "false") return given === "true";
  return /^\d+$/.test(given) ? Number(given) : given;
}
