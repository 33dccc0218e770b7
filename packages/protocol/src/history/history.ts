import { z } from "zod";
import { pageOf, pageQuery } from "../accounts/accounts.ts";
import { AUDIO_FORMATS } from "../tts/formats.ts";

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

const title = z.string().trim().min(1).max(HISTORY_LIMITS.titleCharacters);
const text = z.string().max(HISTORY_LIMITS.textCharacters);
const seconds = z.number().min(0).max(1_000_000);

export const historyWord = z.object({
  text: z.string().max(1000),
  start: seconds,
  end: seconds,
  speaker: z.string().max(HISTORY_LIMITS.speakerCharacters).optional().meta({ description: "Who speaks." }),
});
export type HistoryWord = Readonly<z.output<typeof historyWord>>;

const words = z.array(historyWord).max(HISTORY_LIMITS.words);
const language = z.string().max(20);

/** An entry as lists show it. */
export const historyEntry = z.object({
  _id: z.string().meta({ description: "32 hex digits" }),
  kind: z.enum(HISTORY_KINDS),
  title: z.string(),
  excerpt: z.string().meta({ description: "The start of the text." }),
  voice: z.string().meta({ description: "The `reference_id` of the speech, or empty." }),
  model: z.string(),
  language: z.string().nullable(),
  duration: z.number().meta({ description: "Seconds of audio." }),
  complete: z.boolean().meta({ description: "False: the client stopped before the end." }),
  trace_id: z.string().nullable(),
  audio_type: z.string().nullable().meta({ description: "The media type of the audio; null: none is kept." }),
  audio_bytes: z.number().int(),
  created_at: z.string().meta({ format: "date-time" }),
  expires_at: z.string().meta({ format: "date-time", description: "When it is deleted." }),
});
export type HistoryEntry = Readonly<z.output<typeof historyEntry>>;

export const historyPage = pageOf(historyEntry);

export const historyRecord = historyEntry.extend({ text: z.string(), words: z.array(historyWord) });
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
  duration: seconds,
  language: language.optional(),
  model: z.string().max(100).optional(),
  trace_id: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .optional(),
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
