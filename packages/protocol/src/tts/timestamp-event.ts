import { z } from "zod";

const seconds = (description: string) => z.number().meta({ description });

export const alignment = z.object({
  segments: z
    .array(
      z.object({
        text: z.string().meta({ description: "The word as written; in Chinese and Japanese the character." }),
        start: seconds("Seconds from the start of the chunk's audio."),
        end: seconds("Seconds from the start of the chunk's audio."),
      }),
    )
    .meta({ description: "Punctuation is not a segment of its own." }),
  audio_duration: seconds("Seconds of the chunk's audio, as far as it is known."),
});

/** The text chunk that the audio belongs to. */
export const timestampFields = z.object({
  content: z.string().meta({ description: "The text of the chunk." }),
  alignment: alignment.nullable().meta({
    description: "The times of the words of the chunk. A newer one for the same `chunk_seq` replaces it.",
  }),
  chunk_seq: z.number().meta({ type: "integer", description: "The text chunk, counted from 0." }),
  chunk_audio_offset_sec: seconds(
    "Offset of the chunk's audio in the whole file: add it to the times of its segments.",
  ),
});

/** One event of the stream with timestamps. */
export const timestampEvent = z.object({
  audio_base64: z.string().meta({
    contentEncoding: "base64",
    description: "The next bytes of the file. Concatenated, they are the whole file.",
  }),
  ...timestampFields.shape,
});

export type Alignment = z.output<typeof alignment>;
export type TimestampFields = z.output<typeof timestampFields>;
export type TimestampEvent = z.output<typeof timestampEvent>;

/** As one unnamed server-sent event. */
export function encodeTimestampEvent(event: TimestampEvent): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}
