import { apiError, checkPronunciations, describeValue, type PronunciationList } from "@parlance/protocol";
import { parsePronunciation } from "@parlance/speech";
import { monotonicNow } from "../../lib/time.ts";
import type { PronunciationStore } from "../../stores/pronunciations.ts";

/** The pronunciations that accounts keep. */
export interface Pronunciations {
  /** The list of an account. A change on another node is seen after some seconds. */
  of(userId: string): Promise<PronunciationList>;
  /** Throws the 400 for a value that is not allowed. */
  put(userId: string, list: PronunciationList): Promise<PronunciationList>;
}

/** Every speech request needs the list: it is not read again for this time. */
const KEPT_MS = 5000;
const KEPT_LISTS = 1000;

export function createPronunciationService(store: PronunciationStore, now = monotonicNow): Pronunciations {
  const kept = new Map<string, { readonly list: PronunciationList; readonly until: number }>();
  const keep = (userId: string, list: PronunciationList): PronunciationList => {
    if (kept.size >= KEPT_LISTS) kept.clear();
    kept.set(userId, { list, until: now() + KEPT_MS });
    return list;
  };
  return {
    async of(userId) {
      const known = kept.get(userId);
      return known !== undefined && known.until > now() ? known.list : keep(userId, await store.find(userId));
    },
    async put(userId, list) {
      assertSpeakable(checkPronunciations(list));
      await store.put(userId, list);
      return keep(userId, list);
    },
  };
}

/** Throws the 400 for phonemes in an unknown notation. */
export function assertSpeakable(list: PronunciationList): void {
  for (const value of Object.values(list)) {
    if (parsePronunciation(value) !== undefined) continue;
    throw apiError("invalid_value", {
      field: "pronunciations",
      value: describeValue(value),
      allowed: "it must be words, or phonemes between slashes in IPA or ARPAbet",
    });
  }
}
