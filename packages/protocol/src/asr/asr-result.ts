import { z } from "zod";

export const asrSegment = z.object({
  text: z.string(),
  start: z.number().meta({ description: "Seconds from the start of the audio." }),
  end: z.number().meta({ description: "Seconds from the start of the audio." }),
  language_code: z
    .string()
    .optional()
    .meta({ description: "ISO 639-1 code of its language, where the recording has several." }),
});

const language = z.string().nullable();

/** The response to a transcription request. */
export const asrResult = z.object({
  text: z.string().meta({ description: "The transcript. Empty when the recording has no speech." }),
  duration: z.number().meta({ description: "Seconds of the audio." }),
  segments: z.array(asrSegment).meta({ description: "Parts of the transcript with their times." }),
  language: language.meta({
    description:
      "English name of the language, of several the one with the most speech; null when the recording has no speech.",
  }),
  language_code: language.meta({
    description: "ISO 639-1 code of the language; null when the recording has no speech.",
  }),
});

export type AsrSegment = Readonly<z.output<typeof asrSegment>>;
export type AsrResult = Readonly<z.output<typeof asrResult>>;

/** Responses of other servers of this API may lack the language. */
export const anyAsrResult = asrResult.extend({
  language: language.optional().transform((value) => value ?? null),
  language_code: language.optional().transform((value) => value ?? null),
});

/** Times are rounded to milliseconds. */
export function roundTime(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
