import { ApiError, checkPronunciations, type PronunciationList } from "@parlance/protocol";
import { parsePronunciation } from "@parlance/speech";
import { UsageError } from "../errors.ts";

/** Throws when a value is over a limit, or cannot be spoken. */
export function assertPronunciations(list: PronunciationList = {}): void {
  try {
    checkPronunciations(list);
  } catch (error) {
    throw error instanceof ApiError ? new UsageError(`--pronounce: ${error.message}`) : error;
  }
  for (const [word, value] of Object.entries(list)) {
    if (parsePronunciation(value) !== undefined) continue;
    throw new UsageError(`--pronounce ${word}: ${value} is neither words nor phonemes in IPA or ARPAbet`);
  }
}
