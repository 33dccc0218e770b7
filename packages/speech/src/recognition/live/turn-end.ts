import type { TurnEnd } from "../../listening.ts";

/** After a sentence people wait for an answer; in the middle of one they look for a word. */
export const DEFAULT_TURN_END: TurnEnd = { by: "words", sentenceMs: 300, middleMs: 1400 };

const sentenceMark = /[.!?…。！？؟।]["'”’»)\]]*$/u;

export type SentenceEnd = "certain" | "nearly" | "likely" | "possible" | "none";

/**
 * Probabilities from which a sentence has ended, and how far the silence after it lies between that of a sentence and that of the
 * middle of one. Who pauses within sentences does so again: the silence also has to be longer than the pauses before, by a factor.
 * In 40 recordings of five readers, 2 of 64 pauses inside sentences end a turn, and three fifths of the ends are found within
 * 0.6 s; so it is with values that were chosen without the reader that they were tried on. The pitch and the loudness of the last
 * syllables do not tell these pauses apart. Nor may long pauses where a sentence surely goes on be left out: a speech with many of
 * them ended too early.
 */
const levels: readonly {
  readonly end: SentenceEnd;
  readonly probability: number;
  readonly part: number;
  readonly pauseFactor: number;
}[] = [
  { end: "certain", probability: 0.998, part: 0, pauseFactor: 0 },
  { end: "nearly", probability: 0.985, part: 0.19, pauseFactor: 0 },
  { end: "likely", probability: 0.83, part: 0.19, pauseFactor: 1.5 },
  { end: "possible", probability: 0.4, part: 0.75, pauseFactor: 1.5 },
  { end: "none", probability: 0, part: 1, pauseFactor: 1.5 },
];
/** Pauses that are remembered. */
const PAUSES = 8;

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
  /** The probability that a sentence ends with them, where the recognizer estimates it. */
  readonly sentenceEnd: number | undefined;
}

/** Whether the words end like a sentence. */
export function sentenceEndOf({ words, sentenceEnd }: SpokenWords): SentenceEnd {
  const last = words.at(-1);
  if (!last?.text || /(?:\.\.|…)["'”’»)\]]*$/u.test(last.text)) return "none";
  const word = last.text.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
  if (openWords.has(word)) return "none";
  if (sentenceEnd === undefined) return sentenceMark.test(last.text) ? "likely" : "none";
  return levels.find(({ probability }) => sentenceEnd >= probability)?.end ?? "none";
}

/** Seconds of silence after which the turn is over, by the words and the longest pause that this speaker made before. */
export function silenceToEnd(turnEnd: TurnEnd, spoken: SpokenWords, longestPause = 0): number {
  if (turnEnd.by === "client") return Number.POSITIVE_INFINITY;
  if (turnEnd.by === "silence") return turnEnd.silenceMs / 1000;
  const found = sentenceEndOf(spoken);
  const { part = 1, pauseFactor = 0 } = levels.find(({ end }) => end === found) ?? {};
  const byWords = turnEnd.sentenceMs + part * (turnEnd.middleMs - turnEnd.sentenceMs);
  return Math.max(byWords, Math.min(pauseFactor * longestPause * 1000, turnEnd.middleMs)) / 1000;
}

/** The shortest silence after which a turn may be over. */
export function leastSilence(turnEnd: TurnEnd): number {
  if (turnEnd.by === "words") return Math.min(turnEnd.sentenceMs, turnEnd.middleMs) / 1000;
  return silenceToEnd(turnEnd, { words: [], sentenceEnd: undefined });
}

/** Decides about the turns of one stream. */
export interface TurnEnding {
  /** Whether a turn may be over after this many seconds of silence, depending on its words. */
  mayBeOver(silence: number): boolean;
  isOver(silence: number, spoken: SpokenWords): boolean;
  /** Somebody went on after this many seconds of silence. */
  wentOn(silence: number): void;
}

export function createTurnEnding(turnEnd: TurnEnd): TurnEnding {
  let pauses: readonly number[] = [];
  return {
    mayBeOver: (silence) => silence >= leastSilence(turnEnd),
    isOver: (silence, spoken) => silence >= silenceToEnd(turnEnd, spoken, Math.max(0, ...pauses)) - 1e-9,
    wentOn(silence) {
      // After a longer silence, it is another turn.
      if (turnEnd.by === "words" && silence <= turnEnd.middleMs / 1000) pauses = [...pauses, silence].slice(-PAUSES);
    },
  };
}
