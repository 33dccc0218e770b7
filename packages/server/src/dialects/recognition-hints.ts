import { apiError, countCharacters, LIMITS } from "@parlance/protocol";
import { z } from "zod";
import type { RecordingRequest } from "../services/speech/transcription.ts";

/** A field that may be given once or several times. */
export const textList = z.union([z.string(), z.array(z.string())]);

/** Of a field with keywords, for its description. */
export const KEYWORDS_DESCRIPTION = `Words as they are spelled, at most ${LIMITS.asrKeywords.count}. A recognizer that uses them is chosen where one is installed and no other is named.`;

/**
 * Keywords and a prompt as hints for the recognizer. Keywords are given to be recognized, so a recognizer that uses them is
 * preferred to a faster one. A prompt often comes with every request of a program, so it does not change the recognizer.
 */
export function recognitionHints(
  field: string,
  given: string | readonly string[] | undefined,
  prompt?: string | undefined,
): Pick<RecordingRequest, "hints" | "preferHints"> {
  const keywords = [given ?? []].flat().filter((keyword) => keyword.trim() !== "");
  if (keywords.length === 0 && prompt === undefined) return {};
  const { count, characters } = LIMITS.asrKeywords;
  if (keywords.length > count || keywords.some((keyword) => countCharacters(keyword) > characters)) {
    const allowed = `at most ${count} of ${characters} characters each are allowed`;
    throw apiError("invalid_value", { field, value: `${keywords.length} entries`, allowed });
  }
  return { hints: { keywords, prompt }, preferHints: keywords.length > 0 };
}
