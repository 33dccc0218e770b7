import type { KnownTokens, RecognizedWord } from "../../engines/recognizer.ts";
import type { Agreement } from "./agreement.ts";

/** A pause is decoded with more of the words before it, since its text is final. Somebody waits for it, so it is not much more. */
const CONTEXT_SECONDS = { growing: 1.2, pause: 2 };
/** A segment that is not longer is decoded whole. */
const WHOLE_SECONDS = { growing: 2.5, pause: 4 };
/** Words start quietly. */
const EDGE_SECONDS = 0.06;

/**
 * Where the audio starts that is decoded next. The cost of decoding grows with the audio, so stable words are only decoded
 * again as far as they are needed as context: a window that starts in the middle of a sentence is recognized poorly at first.
 */
export function windowStart(
  segment: { readonly from: number; readonly to: number },
  stable: readonly RecognizedWord[],
  kind: "growing" | "pause",
): number {
  const last = stable.at(-1);
  if (!last || segment.to - segment.from <= WHOLE_SECONDS[kind]) return segment.from;
  const first = stable.find(({ start }) => start >= last.end - CONTEXT_SECONDS[kind]) ?? last;
  return Math.max(segment.from, first.start - EDGE_SECONDS);
}

/**
 * The words that start in the window and those of the turn before it, as far as the recognizer named their tokens. `earlier` are
 * those of the segment before.
 */
export function knownTokens(
  from: number,
  { stable, draft }: Pick<Agreement, "stable" | "draft">,
  earlier: readonly RecognizedWord[] = [],
): KnownTokens {
  const context = stable.filter(({ start }) => start >= from).map(({ tokens = [] }) => tokens);
  const before = tokensOf([...earlier, ...stable.filter(({ start }) => start < from)]);
  if (context.some((tokens) => tokens.length === 0)) return { context: [], draft: [], before };
  return { context, draft: tokensOf(draft), before };
}

function tokensOf(words: readonly RecognizedWord[]): number[] {
  return words.flatMap(({ tokens = [] }) => tokens);
}
