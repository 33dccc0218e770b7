import { dirname } from "node:path";
import { apiError, type NewVoiceRequest, VOICE_LIMITS } from "@parlance/protocol";
import { type ClonedVoice, CloneError, type CloneRequest, type Cloning } from "@parlance/speech";
import { newId } from "../../lib/ids.ts";
import { isoTime } from "../../lib/time.ts";
import type { StoredSound } from "../../stores/remake-queue.ts";
import type { Store } from "../../stores/store.ts";
import type { VoiceBlob } from "../../stores/voice-blobs.ts";
import type { VoiceRecord } from "../../stores/voices.ts";
import type { Caller } from "../identity/keys.ts";
import { clonedLanguages, embeddingBlob, soundOf } from "./cloned-sound.ts";
import { analysisBlob, networkVectorBlob } from "./recording-analysis.ts";
import { waitForCloning } from "./require-cloning.ts";
import { sampleText } from "./sample-texts.ts";
import type { VoiceFiles } from "./voice-files.ts";
import type { Cover } from "./voices.ts";

export interface NewVoice {
  readonly request: NewVoiceRequest;
  /** Files with the recordings. */
  readonly recordings: readonly string[];
  readonly cover: Cover | undefined;
}

export interface VoiceCreation {
  /** Throws the 400 that names the unusable recording and the reason. */
  create(caller: Caller, voice: NewVoice, signal: AbortSignal): Promise<VoiceRecord>;
}

export interface CreationParts {
  readonly store: Store;
  readonly cloning: Pick<Cloning, "create" | "missingModels" | "requestModels">;
  readonly files: Pick<VoiceFiles, "saved">;
  /** Called after each new voice is stored. */
  readonly onCreated: () => void;
  /** Whether a new voice is refined in the background. */
  readonly isRefined: (voice: ClonedVoice["voice"]) => boolean;
  readonly now?: () => number;
}

/** After the stock voices, among voices with equal likes and uses. */
const SORT_ORDER = 10_000;

export function createVoiceCreation(parts: CreationParts): VoiceCreation {
  const { store, cloning, files, onCreated, isRefined, now = Date.now } = parts;
  const assertBelowLimit = async (records: Pick<Store, "voices">, userId: string): Promise<void> => {
    if ((await records.voices.countOf(userId)) >= VOICE_LIMITS.voices) {
      throw apiError("too_many_voices", { limit: VOICE_LIMITS.voices });
    }
  };
  return {
    async create(caller, { request, recordings, cover }, signal) {
      await waitForCloning(cloning, signal);
      await assertBelowLimit(store, caller.userId);
      const texts = textsOf(request, recordings);
      const cloned = await cloneOf(
        cloning,
        recordings,
        texts,
        { owner: caller.userId, enhance: request.enhance },
        signal,
      );
      signal.throwIfAborted();
      const record = { ...recordOf(caller, request, cover, now()), ...soundOf(cloned.voice) };
      const given = filesOf(cloned, texts, cover);
      const queue = queueOf(texts, isRefined(cloned.voice));
      await files.saved(record.id, given, signal, (stored) =>
        store.turns.run(caller.userId, () =>
          store.transaction(async (records) => {
            // Counted again: others may have been created in the meantime. The lock is for those of this moment.
            await records.users.lock(caller.userId);
            await assertBelowLimit(records, caller.userId);
            await records.voices.insert(record);
            await storeParts(records, record.id, cloned);
            for (const [index, blob] of stored.entries()) {
              const kind = index < cloned.recordings.length ? "recording" : "cover";
              await records.voiceBlobs.put(record.id, kind, blob);
            }
            await queue?.(records).enqueue(record.id);
          }),
        ),
      );
      onCreated();
      return queue === undefined ? record : { ...record, refinement: "waiting" };
    },
  };
}

/** The background work on a new voice begins with this queue, if at all. */
function queueOf(texts: readonly string[], isRefined: boolean) {
  // Without the texts, the pace of the speaker is not known yet.
  if (texts.length === 0) return (records: Pick<Store, "remakeQueue">) => records.remakeQueue;
  return isRefined ? (records: Pick<Store, "refinementQueue">) => records.refinementQueue : undefined;
}

async function cloneOf(
  cloning: Pick<Cloning, "create">,
  recordings: readonly string[],
  texts: readonly string[],
  how: Pick<CloneRequest, "owner" | "enhance">,
  signal: AbortSignal,
): Promise<ClonedVoice> {
  try {
    const [first = ""] = recordings;
    return await cloning.create({ recordings, texts, ...how, keepSpeech: true, workFolder: dirname(first) }, signal);
  } catch (error) {
    throw error instanceof CloneError ? recordingError(error, "voices") : error;
  }
}

/**
 * The text of each recording. Some clients join the texts of all recordings to one: then it is unknown which words belong to
 * which recording, and the recordings are transcribed in the background as if no text had been sent.
 */
function textsOf({ texts }: Pick<NewVoiceRequest, "texts">, recordings: readonly string[]): readonly string[] {
  return texts.length === recordings.length ? texts : [];
}

/** The 400 that names the unusable recording of a field. */
export function recordingError(error: CloneError, field: string) {
  return apiError(
    "recording_unusable",
    { field, number: error.recording + 1, reason: error.message },
    { cause: error },
  );
}

/** The recordings, then the cover. */
function filesOf(
  { recordings }: ClonedVoice,
  texts: readonly string[],
  cover: Cover | undefined,
): readonly VoiceBlob[] {
  const kept = recordings.map(({ speech }, number) => {
    const bytes = Buffer.from(speech ?? []);
    return { number, type: "audio/ogg; codecs=opus", text: texts[number] ?? null, bytes };
  });
  return cover === undefined ? kept : [...kept, { number: 0, type: cover.type, text: null, bytes: cover.bytes }];
}

/** What the voice speaks and is refined with. */
async function storeParts(
  records: Pick<Store, "voiceBlobs">,
  id: string,
  { recordings, voice }: ClonedVoice,
): Promise<void> {
  for (const [number, recording] of recordings.entries()) {
    await records.voiceBlobs.put(id, "heard", { number, ...analysisBlob(recording) });
    if (recording.networkVector !== undefined)
      await records.voiceBlobs.put(id, "network-vector", { number, ...networkVectorBlob(recording.networkVector) });
  }
  await records.voiceBlobs.put(id, "embedding", embeddingBlob(voice));
}

function recordOf(
  caller: Caller,
  request: NewVoiceRequest,
  cover: Cover | undefined,
  now: number,
): Omit<VoiceRecord, keyof StoredSound> {
  return {
    id: newId(),
    userId: caller.userId,
    keyId: caller.keyId ?? null,
    consent: request.consent,
    title: request.title,
    description: request.description,
    tags: request.tags,
    languages: clonedLanguages,
    visibility: request.visibility,
    state: "trained",
    defaultText: sampleText("en"),
    cover: cover?.name ?? "",
    likeCount: 0,
    taskCount: 0,
    sortOrder: SORT_ORDER,
    version: 1,
    createdAt: isoTime(now),
    updatedAt: isoTime(now),
  };
}
