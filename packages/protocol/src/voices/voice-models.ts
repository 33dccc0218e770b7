import { z } from "zod";
import { pageOf } from "../accounts/accounts.ts";
import { count, flag, text, time } from "../wire/record-fields.ts";

export const VOICE_STATES = ["created", "training", "trained", "failed"] as const;
/** Of a cloned voice in the background: it waits, is worked on, has ended, or does not take place. */
export const REFINEMENT_STATES = ["none", "waiting", "running", "done", "failed"] as const;
export type RefinementState = (typeof REFINEMENT_STATES)[number];
/** Mean cosines, by four speaker networks, between recordings of a speaker and voices that were made without these. */
export const refinementSimilarity = z.object({
  before: z.number().meta({ description: "An estimate for the voice as it was made first." }),
  after: z.number().meta({
    description: "An estimate for the refined voice, above `before`; where the voice stayed as it was, not above it.",
  }),
});
export type RefinementSimilarity = Readonly<z.output<typeof refinementSimilarity>>;
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

export const voiceSample = z.object({
  title: text("The title of the voice."),
  text: text("What it says."),
  task_id: text("Changes when the voice changes."),
  audio: text("A URL on this server."),
});

/** A voice. Every field is always present. */
export const voiceModel = z.object({
  _id: text("32 hex digits; the `reference_id` of speech requests."),
  type: z.literal("tts").meta({ description: "Always `tts`." }),
  title: text("The name of the voice."),
  description: text("What its owner says of it, or empty."),
  cover_image: text("A URL, or empty."),
  train_mode: z.literal("fast").meta({ description: "Always `fast`." }),
  state: z.enum(VOICE_STATES).meta({ description: "`trained`: it can speak." }),
  refinement: z.enum(REFINEMENT_STATES).default("none").meta({
    description:
      "Background work on a cloned voice: its recordings are transcribed, its pace is set by that, and it is made more similar to them. The voice speaks meanwhile.",
  }),
  refinement_error: z.string().default("").meta({
    description: "Why the refinement has failed, where that is known; or empty.",
  }),
  refinement_similarity: refinementSimilarity.nullable().default(null).meta({
    description:
      "How similar the voice was to its speaker before the refinement, and is after it: mean cosines with recordings, at most 1. `after` is measured with voices that were refined without these recordings; the stored voice uses all of them. Null where it was not refined, or where there is too little speech to tell.",
  }),
  tags: z.array(z.string()).meta({ description: "Words to find it by." }),
  samples: z.array(voiceSample).meta({ description: "Previews, spoken by the voice." }),
  created_at: time("When it was made."),
  updated_at: time("When it was last changed."),
  languages: z
    .array(z.string())
    .meta({ description: "ISO 639-1: that of a stock voice, or all that a cloned voice speaks well." }),
  visibility: z.enum(VISIBILITIES).meta({
    description: "`public`: listed for all accounts; `unlist`: for all who know the id; `private`: for its owner only.",
  }),
  lock_visibility: flag("Whether the visibility cannot be changed, as that of stock voices."),
  default_text: text("A text for a preview, in the language of the voice."),
  like_count: count("Accounts that like it."),
  mark_count: count("Always 0."),
  shared_count: count("Always 0."),
  task_count: count("Speech requests with this voice."),
  liked: flag("Whether the caller likes it."),
  marked: flag("Always false."),
  author: z
    .object({
      _id: text("The id of the account, or `system` for stock voices."),
      nickname: text("Its display name."),
      avatar: text("Always empty."),
    })
    .meta({ description: "The owner." }),
});
export type VoiceModel = Readonly<z.output<typeof voiceModel>>;

export const voicePage = pageOf(voiceModel);
