import { z } from "zod";
import { pageOf } from "../accounts/accounts.ts";

export const VOICE_STATES = ["created", "training", "trained", "failed"] as const;
/** Of a cloned voice in the background: it waits, is worked on, has ended, or does not take place. */
export const REFINEMENT_STATES = ["none", "waiting", "running", "done", "failed"] as const;
export type RefinementState = (typeof REFINEMENT_STATES)[number];
export type VoiceState = (typeof VOICE_STATES)[number];

/** public: listed for all accounts · unlist: usable by all who know the id · private: only for its owner */
export const VISIBILITIES = ["public", "unlist", "private"] as const;
export type Visibility = (typeof VISIBILITIES)[number];

export const VOICE_ORDERS = ["score", "task_count", "created_at"] as const;
export type VoiceOrder = (typeof VOICE_ORDERS)[number];

/** The owner of the stock voices. */
export const SYSTEM_USER = "system";

export const VOICE_LIMITS = {
  files: 20,
  fileBytes: 10_000_000,
  /** A body in MessagePack, with all its recordings; larger ones are sent as multipart. */
  messagePackBytes: 64 * 1024 * 1024,
  /** A new voice in JSON, with its recordings in base64. */
  jsonBytes: 16 * 1024 * 1024,
  coverBytes: 5_000_000,
  minSeconds: 1,
  maxSeconds: 120,
  titleCharacters: 100,
  descriptionCharacters: 2_000,
  tags: 20,
  tagCharacters: 40,
  /** What is said in one recording. */
  textCharacters: 5_000,
  /** Voices that one account may have. */
  voices: 500,
} as const;

const time = () => z.string().meta({ format: "date-time" });
const count = z.number().int().min(0);

export const voiceSample = z.object({
  title: z.string(),
  text: z.string(),
  task_id: z.string(),
  audio: z.string().meta({ description: "A URL on this server." }),
});

/** A voice. Every field is always present. */
export const voiceModel = z.object({
  _id: z.string().meta({ description: "32 hex digits; the `reference_id` of speech requests." }),
  type: z.literal("tts"),
  title: z.string(),
  description: z.string(),
  cover_image: z.string().meta({ description: "A URL, or empty." }),
  train_mode: z.literal("fast"),
  state: z.enum(VOICE_STATES),
  refinement: z.enum(REFINEMENT_STATES).default("none").meta({
    description:
      "Background work on a cloned voice: its recordings are transcribed, and its pace is set by that. The voice speaks meanwhile.",
  }),
  refinement_error: z.string().default("").meta({
    description: "Why the refinement has failed, where that is known; or empty.",
  }),
  tags: z.array(z.string()),
  samples: z.array(voiceSample),
  created_at: time(),
  updated_at: time(),
  languages: z.array(z.string()),
  visibility: z.enum(VISIBILITIES),
  lock_visibility: z.boolean(),
  default_text: z.string(),
  like_count: count,
  mark_count: count,
  shared_count: count,
  task_count: count,
  liked: z.boolean(),
  marked: z.boolean(),
  author: z.object({ _id: z.string(), nickname: z.string(), avatar: z.string() }),
});
export type VoiceModel = Readonly<z.output<typeof voiceModel>>;

export const voicePage = pageOf(voiceModel);
