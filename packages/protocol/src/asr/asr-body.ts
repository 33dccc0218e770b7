import { z } from "zod";
import { ApiError, shapeError, type ValidationIssue } from "../wire/api-error.ts";
import { LIMITS } from "../wire/limits.ts";
import { parseShape, withoutAbsent } from "../wire/shape.ts";

export const GRANULARITIES = ["segment", "word"] as const;
export type Granularity = (typeof GRANULARITIES)[number];

// As with synthesis the schema checks shape only; `asr-request.ts` checks the values, whose faults are 400s.
export const asrOptions = z.object({
  language: z.string().optional().meta({
    description:
      "ISO 639-1 code of the language that is spoken, such as `en`, `zh`, `ja`; of `zh-CN` the first part counts. Detected when left out.",
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
});

/** The whole body, for the API's description: the recording itself never passes through a schema. */
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

/** What came with the recording, and whether there was one. */
export interface AsrFields {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly audio: "given" | "missing" | "given twice" | "not bytes";
}

/** Throws the 422 that lists every field with the wrong shape. */
export function parseAsrOptions({ fields, audio }: AsrFields): AsrOptions {
  const issues = audioIssues(audio);
  try {
    const options = parseShape(asrOptions, withoutAbsent(fields), "body");
    if (issues.length === 0) return options;
  } catch (error) {
    if (issues.length === 0 || !(error instanceof ApiError)) throw error;
    issues.push(...error.issues);
  }
  throw shapeError(issues);
}

/** Multipart knows only strings. A string that means nothing here stays what it is, and is refused later. */
export function fromMultipart(fields: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> {
  const { ignore_timestamps } = fields;
  return ignore_timestamps === undefined ? fields : { ...fields, ignore_timestamps: ignore_timestamps === "true" };
}

function audioIssues(audio: AsrFields["audio"]): ValidationIssue[] {
  const issue = (type: string, msg: string): ValidationIssue[] => [{ loc: ["audio"], type, msg, in: "body" }];
  if (audio === "missing") return issue("missing", "Field required");
  if (audio === "given twice") return issue("too_many", "One recording per request");
  return audio === "not bytes" ? issue("bytes_type", "Expected bytes") : [];
}
