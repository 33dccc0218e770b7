import type { RecognitionHints } from "../recognizer.ts";
import { createKeywordBias, type KeywordBias } from "./keyword-bias.ts";
import type { WhisperVocabulary } from "./vocabulary.ts";

/** Of a text before the recording the end counts, as in the training of the model: half of its limit, with the control token. */
const MAX_PROMPT_TOKENS = 223;

/** What the decoder makes of the hints of a request. */
export interface TokenHints {
  /** Tokens before those of the recording. */
  readonly before: readonly number[];
  readonly bias: KeywordBias | undefined;
}

export const NO_HINTS: TokenHints = { before: [], bias: undefined };

/** The keywords are listed in front of the prompt, so that the model reads them as well. */
export function tokenHints(
  { prompt = "", keywords = [] }: RecognitionHints,
  vocabulary: WhisperVocabulary,
): TokenHints {
  const words = keywords.map((keyword) => keyword.trim()).filter((keyword) => keyword !== "");
  const text = [words.join(", "), prompt.trim()].filter((part) => part !== "").join(". ");
  const tokens = text === "" ? [] : vocabulary.encode(` ${text}`).slice(-MAX_PROMPT_TOKENS);
  if (tokens.length === 0) return NO_HINTS;
  return {
    before: [vocabulary.previous, ...tokens],
    bias: words.length === 0 ? undefined : createKeywordBias(words.map((word) => vocabulary.encode(` ${word}`))),
  };
}
