import { z } from "zod";

export const asrSegment = z.object({
  text: z.string().meta({ description: "What is said in it." }),
  start: z.number().meta({ description: "Seconds from the start of the audio." }),
  end: z.number().meta({ description: "Seconds from the start of the audio." }),
  language_code: z
    .string()
    .optional()
    .meta({ description: "ISO 639-1 code of its language, where the recording has several." }),
  speaker: z.string().optional().meta({
    description: "Who speaks, where speakers were requested: the title of a known voice, or `A`, `B` and so on.",
  }),
});

/** A person who speaks in the recording. */
export const asrSpeaker = z.object({
  speaker: z.string().meta({ description: "As the segments name it." }),
  seconds: z.number().meta({ description: "Seconds of speech." }),
  embedding: z.array(z.number()).meta({
    description: "The x-vector of the voice, of length 1. The cosine of two measures how similar two voices are.",
  }),
});
export type AsrSpeaker = Readonly<z.output<typeof asrSpeaker>>;

const language = z.string().nullable();

/** The response to a transcription request. */
export const asrResult = z.object({
  text: z.string().meta({ description: "The transcript. Empty when the recording has no speech." }),
  duration: z.number().meta({ description: "Seconds of the audio." }),
  segments: z.array(asrSegment).meta({ description: "Parts of the transcript with their times." }),
  speakers: z
    .array(asrSpeaker)
    .optional()
    .meta({ description: "Where speakers were requested, in the order of their first words." }),
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
