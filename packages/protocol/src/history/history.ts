import { z } from "zod";
import { pageOf, pageQuery } from "../accounts/accounts.ts";
import { AUDIO_FORMATS } from "../tts/formats.ts";
import { flag, integer, text as textField, textOrNull, time } from "../wire/record-fields.ts";

export const HISTORY_KINDS = ["speech", "transcript"] as const;
export type HistoryKind = (typeof HISTORY_KINDS)[number];

export const HISTORY_LIMITS = {
  /** Entries of one account. The oldest are deleted. */
  entries: 2000,
  /** The audio of one entry. Longer audio is not kept. */
  audioBytes: 32_000_000,
  /** The body of a new or changed entry. */
  bodyBytes: 8 * 1024 * 1024,
  titleCharacters: 200,
  textCharacters: 1_000_000,
  words: 9000,
  /** Containers, strings and keys of that body: seven for a word with all its fields. */
  bodyElements: 64_000,
  speakerCharacters: 100,
  searchCharacters: 200,
  /** How much of a text is searched. */
  searchedCharacters: 20_000,
  excerptCharacters: 240,
} as const;

/** The header of a speech response that is kept: the id of its entry. */
export const HISTORY_HEADER = "x-history-id";

const title = z
  .string()
  .trim()
  .min(1)
  .max(HISTORY_LIMITS.titleCharacters)
  .meta({ description: "What lists show, such as the name of the recording." });
const text = z.string().max(HISTORY_LIMITS.textCharacters).meta({ description: "The transcript." });
const seconds = (description: string) => z.number().min(0).max(1_000_000).meta({ description });

export const historyWord = z.object({
  text: z.string().max(1000).meta({ description: "The word as written." }),
  start: seconds("Seconds from the start of the audio."),
  end: seconds("Seconds from the start of the audio."),
  speaker: z.string().max(HISTORY_LIMITS.speakerCharacters).optional().meta({ description: "Who speaks." }),
});
export type HistoryWord = Readonly<z.output<typeof historyWord>>;

const words = z
  .array(historyWord)
  .max(HISTORY_LIMITS.words)
  .meta({ description: "The words with their times, or none." });

/** An entry as lists show it. */
export const historyEntry = z.object({
  _id: textField("32 hex digits."),
  kind: z.enum(HISTORY_KINDS).meta({ description: "What was made." }),
  title: textField("The start of the text, or the name of the recording."),
  excerpt: textField("The start of the text."),
  voice: textField("The `reference_id` of the speech, or empty."),
  model: textField("The model that was used."),
  language: textOrNull("The language of the text; null: not known."),
  duration: z.number().meta({ description: "Seconds of audio." }),
  complete: flag("False: the client stopped before the end."),
  trace_id: textOrNull("The `x-trace-id` of the request."),
  audio_type: textOrNull("The media type of the audio; null: none is kept."),
  audio_bytes: integer("The size of the audio that is kept."),
  created_at: time("When it was made."),
  expires_at: time("When it is deleted."),
});
export type HistoryEntry = Readonly<z.output<typeof historyEntry>>;

export const historyPage = pageOf(historyEntry);

export const historyRecord = historyEntry.extend({
  text: textField("The whole text."),
  words: z.array(historyWord).meta({ description: "The words with their times." }),
});
export type HistoryRecord = Readonly<z.output<typeof historyRecord>>;

export const historyQuery = z.object({
  kind: z
    .enum(HISTORY_KINDS, { message: `Expected one of ${HISTORY_KINDS.join(", ")}` })
    .optional()
    .meta({ description: "Only entries of this kind." }),
  search: z
    .string()
    .max(HISTORY_LIMITS.searchCharacters)
    .optional()
    .meta({ description: "Part of the title or the text, in any case." }),
  ...pageQuery,
});
export type HistoryQuery = Readonly<z.input<typeof historyQuery>>;

/** A transcript that a client keeps. The server keeps speech by itself. */
export const newTranscriptBody = z.object({
  title,
  text,
  words,
  duration: seconds("Seconds of the recording."),
  language: z.string().max(20).optional().meta({ description: "The language of the text." }),
  model: z.string().max(100).optional().meta({ description: "The model that was used." }),
  trace_id: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .optional()
    .meta({ description: "The `x-trace-id` of the request." }),
});
export type NewTranscriptInput = Readonly<z.input<typeof newTranscriptBody>>;

export const historyChangeBody = z.object({ title: title.optional(), text: text.optional(), words: words.optional() });
export type HistoryChange = Readonly<z.input<typeof historyChangeBody>>;

export const historyAudioQuery = z.object({
  format: z
    .enum(AUDIO_FORMATS, { message: `Expected one of ${AUDIO_FORMATS.join(", ")}` })
    .optional()
    .meta({ description: "Left out: as it is kept." }),
});
