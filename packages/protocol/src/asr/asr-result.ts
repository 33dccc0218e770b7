import { z } from "zod";

export const asrSegment = z.object({
  text: z.string(),
  start: z.number().meta({ description: "Seconds from the start of the audio." }),
  end: z.number().meta({ description: "Seconds from the start of the audio." }),
});

const language = z.string().nullable();

/** The answer to a transcription. */
export const asrResult = z.object({
  text: z.string().meta({ description: "All that was said. Empty when nothing was." }),
  duration: z.number().meta({ description: "Seconds of the audio." }),
  segments: z.array(asrSegment).meta({ description: "Pieces of the transcript with their times." }),
  language: language.meta({ description: "ISO 639-1 code of the language; null when nothing was said." }),
  language_code: language.meta({ description: "The same as `language`." }),
});

export type AsrSegment = Readonly<z.output<typeof asrSegment>>;
export type AsrResult = Readonly<z.output<typeof asrResult>>;

/** Answers of other servers of this API may lack the language. */
export const anyAsrResult = asrResult.extend({
  language: language.optional().transform((value) => value ?? null),
  language_code: language.optional().transform((value) => value ?? null),
});

/** Times are told to the millisecond. */
export function roundTime(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
