import type { KnownTokens, RecognizedWord } from "../../engines/recognizer.ts";
import type { Agreement } from "./agreement.ts";

/**
 * A pause is decoded with more of the words before it, since its text is final. Somebody waits for it, so it is not much more. In
 * a revision, words are compared with others in as much audio as can be decoded until the turn ends.
 */
const CONTEXT_SECONDS = { growing: 1.2, pause: 2, revision: 5 };
/** A segment that is not longer is decoded whole. */
const WHOLE_SECONDS = { growing: 2.5, pause: 4, revision: 7 };

type WindowKind = keyof typeof WHOLE_SECONDS;
/** Words start quietly. */
const EDGE_SECONDS = 0.06;

/**
 * Where the audio starts that is decoded next. The cost of decoding grows with the audio, so stable words are only decoded
 * again as far as they are needed as context: a window that starts in the middle of a sentence is recognized poorly at first.
 */
function windowStart(
  segment: { readonly from: number; readonly to: number },
  stable: readonly RecognizedWord[],
  kind: WindowKind,
): number {
  const last = stable.at(-1);
  if (!last || segment.to - segment.from <= WHOLE_SECONDS[kind]) return segment.from;
  const first = stable.find(({ start }) => start >= last.end - CONTEXT_SECONDS[kind]) ?? last;
  return Math.max(segment.from, first.start - EDGE_SECONDS);
}

/** The audio that is decoded next. */
export interface DecodeWindow {
  readonly from: number;
  /** The part of it that would be decoded without a revision. */
  readonly usual: number;
  /** No revision replaces words that start before this time. */
  readonly fixedUntil: number;
}

export function decodeWindow(
  segment: { readonly from: number; readonly to: number },
  stable: readonly RecognizedWord[],
  kind: "growing" | "pause",
  isRevision: boolean,
): DecodeWindow {
  const usualFrom = windowStart(segment, stable, kind);
  const fixedUntil = windowStart(segment, stable, "revision");
  const from = isRevision ? fixedUntil : usualFrom;
  return { from, usual: (segment.to - usualFrom) / (segment.to - from), fixedUntil };
}

export interface KnownOptions {
  /** The words of the segment before, in the same turn. */
  readonly earlier?: readonly RecognizedWord[];
  /** Whether stable words that are not fixed may be replaced. */
  readonly isRevised?: boolean;
}

/** The words that start in the window and those of the turn before it, as far as the recognizer named their tokens. */
export function knownTokens(
  from: number,
  { stable, draft, fixed, shownDraft }: Pick<Agreement, "stable" | "draft" | "fixed" | "shownDraft">,
  { earlier = [], isRevised = false }: KnownOptions = {},
): KnownTokens {
  const context = stable.filter(({ start }) => start >= from).map(({ tokens = [] }) => tokens);
  const before = tokensOf([...earlier, ...stable.filter(({ start }) => start < from)]);
  if (context.some((tokens) => tokens.length === 0)) return { context: [], draft: [], before };
  const revisedFrom = Math.max(0, fixed - (stable.length - context.length));
  const shown = tokensOf(draft.slice(0, Math.max(0, shownDraft - 1))).length;
  return {
    context,
    draft: tokensOf(draft),
    before,
    ...(shown > 0 ? { shown } : {}),
    ...(isRevised ? { revisedFrom } : {}),
  };
}

function tokensOf(words: readonly RecognizedWord[]): number[] {
  return words.flatMap(({ tokens = [] }) => tokens);
}
