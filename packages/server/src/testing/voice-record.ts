import { newId } from "../lib/ids.ts";
import type { VoiceRecord } from "../stores/voices.ts";

/** The record of a cloned voice, with these fields of its own. */
export function clonedVoice(fields: Partial<VoiceRecord> & Pick<VoiceRecord, "userId">): VoiceRecord {
  const createdAt = fields.createdAt ?? new Date().toISOString();
  return {
    id: newId(),
    keyId: null,
    consent: "",
    title: "Cloned",
    description: "",
    tags: [],
    languages: ["en"],
    visibility: "private",
    state: "trained",
    defaultText: "Hello.",
    cover: "",
    likeCount: 0,
    taskCount: 0,
    sortOrder: 10_000,
    engine: "kokoro",
    speaker: "af_heart",
    pace: 1000,
    pitch: 1000,
    pitchRange: 1000,
    version: 1,
    createdAt,
    updatedAt: createdAt,
    ...fields,
  };
}
