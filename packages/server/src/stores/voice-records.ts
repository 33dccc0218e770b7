import {
  REFINEMENT_STATES,
  type RefinementSimilarity,
  type RefinementState,
  VISIBILITIES,
  type Visibility,
  VOICE_STATES,
  type VoiceState,
} from "@parlance/protocol";
import type { Selectable } from "kysely";
import type { Tables } from "./tables.ts";

export interface VoiceRecord {
  /** 32 lower-case hex digits. */
  readonly id: string;
  /** Null: a stock voice. */
  readonly userId: string | null;
  /** The key that created it; null when it was created with a session. */
  readonly keyId: string | null;
  /** The statement about the speaker's consent. */
  readonly consent: string;
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly languages: readonly string[];
  readonly visibility: Visibility;
  readonly state: VoiceState;
  /** Written by the queues only. */
  readonly refinement?: RefinementState | undefined;
  /** Why it has failed, where that is known. */
  readonly refinementError?: string | undefined;
  /** How similar its speech was to recordings of the speaker before the refinement, and is after it. */
  readonly refinementSimilarity?: RefinementSimilarity | undefined;
  readonly defaultText: string;
  /** A hash of the picture; empty when there is none. */
  readonly cover: string;
  readonly likeCount: number;
  readonly taskCount: number;
  /** Among voices with equal likes and uses, the lower one comes first. */
  readonly sortOrder: number;
  readonly engine: string;
  /**
   * The stock voice of the engine that gives the prosody. For a voice that was cloned for Piper: the speaker that speaks
   * instead of the embedding, or empty.
   */
  readonly speaker: string;
  /** In thousandths of the engine's normal pace. */
  readonly pace: number;
  /** In thousandths of the engine's normal pitch. */
  readonly pitch: number;
  /** The range of the pitch in octaves, in thousandths of that of the prosody. */
  readonly pitchRange: number;
  /** Incremented whenever the sound of the voice changes. */
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The stored fields of a stock voice. */
export type StockVoice = Pick<
  VoiceRecord,
  "id" | "title" | "description" | "tags" | "languages" | "defaultText" | "engine" | "sortOrder" | "createdAt"
>;

/**
 * How `waiting` is stored: programs that clone voices for Piper take those that are stored as `waiting`. In the order in which
 * those of an account are claimed. All start with `queued`: an index has this condition.
 */
export const QUEUED = "queued";
export const QUEUED_LATER = "queued-later";
export const QUEUED_POSTPONED = "queued-postponed";

/**
 * How `waiting` and `running` are stored once a voice is to be refined by gradient. In the order in which those
 * of an account are claimed. The states that wait start with `refinable`: an index has this condition.
 */
export const REFINABLE = "refinable";
export const REFINABLE_LATER = "refinable-later";
export const REFINABLE_POSTPONED = "refinable-postponed";
export const REFINING = "refining";
/** How `failed` is stored then: the voice can still be made anew. */
export const REFINEMENT_FAILED = "refinement-failed";
const STORED_STATES: Readonly<Record<string, RefinementState>> = {
  [QUEUED]: "waiting",
  [QUEUED_LATER]: "waiting",
  [QUEUED_POSTPONED]: "waiting",
  [REFINABLE]: "waiting",
  [REFINABLE_LATER]: "waiting",
  [REFINABLE_POSTPONED]: "waiting",
  [REFINING]: "running",
  [REFINEMENT_FAILED]: "failed",
};

/** Work that has failed this often, or crashed this many nodes, is not tried again by itself. */
export const MAX_ATTEMPTS = 3;
const FAILED_OFTEN =
  "The work on this voice has failed several times, or the server stopped each time, so it is not tried again by itself. The log of the server has the causes";

/** SQLite lowers ASCII only, so a lower-case copy of titles and labels is stored for searching. */
export function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

const STOCK_DEFAULTS = {
  userId: null,
  keyId: null,
  consent: "",
  visibility: "public",
  state: "trained",
  cover: "",
  likeCount: 0,
  taskCount: 0,
  speaker: "",
  pace: 1000,
  pitch: 1000,
  pitchRange: 1000,
  version: 1,
} as const;

export function toStockRow(voice: StockVoice): Selectable<Tables["voices"]> {
  return toRow({ ...STOCK_DEFAULTS, ...voice, updatedAt: voice.createdAt });
}

export function toRow(voice: VoiceRecord): Selectable<Tables["voices"]> {
  return {
    id: voice.id,
    user_id: voice.userId,
    key_id: voice.keyId,
    consent: voice.consent,
    title: voice.title,
    title_folded: fold(voice.title),
    description: voice.description,
    tags: JSON.stringify(voice.tags),
    languages: JSON.stringify(voice.languages),
    visibility: voice.visibility,
    state: voice.state,
    default_text: voice.defaultText,
    cover: voice.cover,
    like_count: voice.likeCount,
    task_count: voice.taskCount,
    place: voice.sortOrder,
    engine: voice.engine,
    speaker: voice.speaker,
    pace: voice.pace,
    pitch: voice.pitch,
    pitch_range: voice.pitchRange,
    similarity: null,
    version: voice.version,
    refinement: "none",
    refining_node: null,
    refinement_tries: 0,
    refined_version: null,
    similarity_before: null,
    similarity_after: null,
    created_at: voice.createdAt,
    updated_at: voice.updatedAt,
  };
}

export function toVoice(row: Selectable<Tables["voices"]>): VoiceRecord {
  const refinement = STORED_STATES[row.refinement] ?? REFINEMENT_STATES.find((each) => each === row.refinement);
  const hasGivenUp = refinement === "failed" && row.refinement_tries >= MAX_ATTEMPTS;
  return {
    id: row.id,
    userId: row.user_id,
    keyId: row.key_id,
    consent: row.consent,
    title: row.title,
    description: row.description,
    tags: JSON.parse(row.tags) as string[],
    languages: JSON.parse(row.languages) as string[],
    // Values from a newer program: the voice is private and cannot speak.
    visibility: VISIBILITIES.find((each) => each === row.visibility) ?? "private",
    state: VOICE_STATES.find((each) => each === row.state) ?? "failed",
    defaultText: row.default_text,
    cover: row.cover,
    likeCount: row.like_count,
    taskCount: row.task_count,
    sortOrder: row.place,
    engine: row.engine,
    speaker: row.speaker,
    pace: row.pace,
    pitch: row.pitch,
    pitchRange: row.pitch_range,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...(refinement === undefined || refinement === "none" ? {} : { refinement }),
    ...(hasGivenUp ? { refinementError: FAILED_OFTEN } : {}),
    ...similarityOf(row),
  };
}

/** Of the present sound only: a voice that was made anew is not refined. */
function similarityOf(row: Selectable<Tables["voices"]>): Pick<VoiceRecord, "refinementSimilarity"> {
  const { similarity_before: before, similarity_after: after } = row;
  if (row.refined_version !== row.version || before === null || after === null) return {};
  return { refinementSimilarity: { before: before / 1000, after: after / 1000 } };
}
