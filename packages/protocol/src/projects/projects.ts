import { z } from "zod";
import { pageOf, pageQuery } from "../accounts/accounts.ts";
import { pronunciationList } from "../accounts/pronunciations.ts";
import { PROSODY_RANGES } from "../tts/ranges.ts";
import { integer, text, textOrNull, time } from "../wire/record-fields.ts";

export const PROJECT_LIMITS = {
  /** Projects of one account. */
  projects: 100,
  chapters: 500,
  /** Of all chapters together. */
  paragraphs: 4000,
  paragraphCharacters: 4000,
  titleCharacters: 200,
  speakers: 30,
  speakerCharacters: 60,
  /** The body of a new or changed project. */
  bodyBytes: 8 * 1024 * 1024,
  /** Containers, strings and keys of that body: eight for a paragraph with all its fields. */
  bodyElements: 40_000,
  /** The audio of all projects of one account. */
  audioBytes: 4_000_000_000,
} as const;

/** The formats of an export: `m4b` is AAC in MP4, with chapters. */
export const PROJECT_FORMATS = ["mp3", "wav", "flac", "opus", "aac", "m4b"] as const;
export type ProjectFormat = (typeof PROJECT_FORMATS)[number];
export const SUBTITLE_FORMATS = ["srt", "vtt"] as const;

/** A paragraph without a letter or digit is not spoken. */
export const isSpoken = ({ text }: { readonly text: string }): boolean => /[\p{L}\p{N}]/u.test(text);

export const PROJECT_JOBS = ["idle", "waiting", "running", "failed"] as const;
export type ProjectJob = (typeof PROJECT_JOBS)[number];

const title = z
  .string()
  .trim()
  .min(1)
  .max(PROJECT_LIMITS.titleCharacters)
  .meta({ description: "The name of the project." });
const voice = z
  .string()
  .max(64)
  .meta({ description: "A voice by id or short name; empty: that of the speaker, or of the project." });
const speakerName = z.string().trim().max(PROJECT_LIMITS.speakerCharacters);

const paragraphInput = z.object({
  text: z.string().max(PROJECT_LIMITS.paragraphCharacters).meta({ description: "What is spoken." }),
  voice: voice.optional(),
  speaker: speakerName.optional().meta({ description: "Who speaks: one of `speakers`." }),
  take: z.number().int().min(0).max(1_000_000).optional().meta({ description: "Another number is spoken anew." }),
});
const chapterInput = z.object({
  title: z.string().trim().max(PROJECT_LIMITS.titleCharacters).meta({ description: "Its heading, or empty." }),
  paragraphs: z.array(paragraphInput).max(PROJECT_LIMITS.paragraphs).meta({ description: "In their order." }),
});
const chapters = z
  .array(chapterInput)
  .max(PROJECT_LIMITS.chapters)
  .refine((list) => list.reduce((sum, { paragraphs }) => sum + paragraphs.length, 0) <= PROJECT_LIMITS.paragraphs, {
    error: `At most ${PROJECT_LIMITS.paragraphs} paragraphs in all`,
  })
  .meta({ description: "In their order. Paragraphs that stay the same keep their audio." });

const settings = z.object({
  voice: voice.optional(),
  language: z.string().max(20).optional().meta({ description: "Of the text, such as `en`. Left out: detected." }),
  speed: z
    .number()
    .min(PROSODY_RANGES.speed.min)
    .max(PROSODY_RANGES.speed.max)
    .optional()
    .meta({ description: "How fast to speak; 1: the pace of the voice." }),
  speakers: z
    .record(speakerName, voice)
    .refine((list) => Object.keys(list).length <= PROJECT_LIMITS.speakers, {
      error: `At most ${PROJECT_LIMITS.speakers} speakers`,
    })
    .optional()
    .meta({ description: "The voices of the speakers that paragraphs name." }),
  pronunciations: pronunciationList.optional(),
});

export const newProjectBody = settings.extend({
  title,
  chapters: chapters.optional(),
  text: z
    .string()
    .max(PROJECT_LIMITS.bodyBytes)
    .optional()
    .meta({ description: "In place of `chapters`: a text or Markdown, divided at its headings and empty lines." }),
});
export type NewProjectInput = Readonly<z.input<typeof newProjectBody>>;

export const projectChangeBody = settings.extend({ title: title.optional(), chapters: chapters.optional() });
export type ProjectChange = Readonly<z.input<typeof projectChangeBody>>;

export const projectParagraph = z.object({
  text: text("What is spoken."),
  voice: text("Its own voice; empty: that of the speaker, or of the project."),
  speaker: text("Who speaks: one of `speakers`, or empty."),
  take: integer("How often it was spoken anew."),
  audio: text("The id of its audio. It changes with everything that the audio depends on."),
  duration: z.number().nullable().meta({ description: "Seconds; null: not spoken yet." }),
});
export type ProjectParagraph = Readonly<z.output<typeof projectParagraph>>;

export const projectSummary = z.object({
  _id: text("32 hex digits."),
  title: text("The name of the project."),
  job: z.enum(PROJECT_JOBS).meta({ description: "Whether its text is being spoken." }),
  job_error: textOrNull("Why the last job failed."),
  paragraphs: integer("Paragraphs of all chapters."),
  created_at: time("When it was made."),
  updated_at: time("When it was last changed."),
});
export type ProjectSummary = Readonly<z.output<typeof projectSummary>>;

export const projectPage = pageOf(projectSummary);

const audioBytes = integer("The size of its audio.");

export const projectRecord = projectSummary.extend({
  spoken: integer("Paragraphs that have audio. Those without words have none."),
  audio_bytes: audioBytes,
  voice: text("The voice of the project, by id or short name; empty: the default voice."),
  language: textOrNull("The language of the text; null: detected."),
  speed: z.number().meta({ description: "How fast it is spoken; 1: the pace of the voice." }),
  speakers: z.record(z.string(), z.string()).meta({ description: "The voices of the speakers, by their names." }),
  pronunciations: z.record(z.string(), z.string()).meta({ description: "How words are spoken." }),
  chapters: z
    .array(
      z.object({
        title: text("Its heading, or empty."),
        paragraphs: z.array(projectParagraph).meta({ description: "In their order." }),
      }),
    )
    .meta({ description: "In their order." }),
});
export type ProjectRecord = Readonly<z.output<typeof projectRecord>>;

/** What changes while a project is spoken, without its text. */
export const projectProgress = projectSummary.pick({ job: true, job_error: true, updated_at: true }).extend({
  audio_bytes: audioBytes,
  durations: z
    .record(z.string(), z.number())
    .meta({ description: "The seconds of each paragraph that was spoken, by the id of its audio." }),
});
export type ProjectProgress = Readonly<z.output<typeof projectProgress>>;

export const projectQuery = z.object({
  ...pageQuery,
});

/** Which paragraph is spoken again, from 0. Left out: all that have no audio are spoken. */
export const speakProjectBody = z.object({
  chapter: z.number().int().min(0).optional().meta({ description: "The chapter of the paragraph, from 0." }),
  paragraph: z.number().int().min(0).optional().meta({ description: "Its place in the chapter, from 0." }),
});
export type SpeakProjectInput = Readonly<z.input<typeof speakProjectBody>>;

const chapterNumber = z.coerce
  .number()
  .int()
  .min(0)
  .max(PROJECT_LIMITS.chapters)
  .optional()
  .meta({ description: "One chapter, from 0; left out: all of them." });

export const projectExportQuery = z.object({
  format: z
    .enum(PROJECT_FORMATS, { message: `Expected one of ${PROJECT_FORMATS.join(", ")}` })
    .meta({ description: "Of the audio file; `m4b` is AAC in MP4, with chapters." }),
  chapter: chapterNumber,
});
export const projectSubtitlesQuery = z.object({
  format: z
    .enum(SUBTITLE_FORMATS, { message: `Expected one of ${SUBTITLE_FORMATS.join(", ")}` })
    .meta({ description: "Of the subtitles." }),
  chapter: chapterNumber,
});
