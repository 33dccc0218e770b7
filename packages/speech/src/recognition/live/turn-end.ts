import type { TurnEnd } from "../../listening.ts";

/** After a sentence people wait for an answer; in the middle of one they look for a word. */
export const DEFAULT_TURN_END: TurnEnd = { by: "words", sentenceMs: 300, middleMs: 1000 };

const sentenceMark = /[.!?…。！？؟।]["'”’»)\]]*$/u;
/** A recognizer writes a full stop wherever the audio ends; it is certain of it where a sentence ends. */
const CERTAIN = 0.98;
/** No sentence ends with one of these. */
const openWords = new Set(
  (
    "a an the and or but nor because if while as than which whose of to at from with without into onto upon between " +
    "during my your our their very such every mr mrs ms dr um uh er erm hmm i'm it's we they i"
  ).split(" "),
);

/** What was said until a pause. */
export interface SpokenWords {
  readonly words: readonly { readonly text: string }[];
  /** The probability of the mark at its end, where the recognizer estimates it. */
  readonly sentenceEnd: number | undefined;
}

/** Whether the words end like a sentence. */
export function endsLikeSentence({ words, sentenceEnd = 1 }: SpokenWords): boolean {
  const last = words.at(-1);
  if (!last || sentenceEnd < CERTAIN || !sentenceMark.test(last.text)) return false;
  if (/(?:\.\.|…)["'”’»)\]]*$/u.test(last.text)) return false;
  const word = last.text.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
  return !openWords.has(word);
}

/** Seconds of silence after which the turn is over. */
export function silenceToEnd(turnEnd: TurnEnd, spoken: SpokenWords): number {
  if (turnEnd.by === "client") return Number.POSITIVE_INFINITY;
  if (turnEnd.by === "silence") return turnEnd.silenceMs / 1000;
  return (endsLikeSentence(spoken) ? turnEnd.sentenceMs : turnEnd.middleMs) / 1000;
}

/** The shortest silence after which a turn may be over. */
export function leastSilence(turnEnd: TurnEnd): number {
  if (turnEnd.by === "words") return Math.min(turnEnd.sentenceMs, turnEnd.middleMs) / 1000;
  return silenceToEnd(turnEnd, { words: [], sentenceEnd: undefined });
}
