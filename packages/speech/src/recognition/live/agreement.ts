import type { RecognizedWord } from "../../engines/recognizer.ts";

/** The words of a segment that is still spoken: those that are certain, and those that may change. */
export interface Agreement {
  /** Words that only a revision replaces. */
  readonly stable: readonly RecognizedWord[];
  /** How many of them will not change any more. */
  readonly fixed: number;
  /** All words, with those that may change. */
  readonly words: readonly RecognizedWord[];
  /** Those that are shown: hardly any of them changes. */
  readonly shown: readonly RecognizedWord[];
  /** The words of the last decoding behind the stable ones, or those that are shown instead. */
  readonly draft: readonly RecognizedWord[];
  /** How many of these are shown. */
  readonly shownDraft: number;
  /** Takes the words of a new decoding. It may start after the first stable words. */
  add(words: readonly RecognizedWord[], options: AgreementOptions): void;
  /** The pause lasts: all words of its decoding are shown. */
  showAll(): void;
  /** Starts the next segment after this many words. */
  cut(count: number): void;
}

export interface AgreementOptions {
  /** The end of the decoded audio. Undefined: the speech has stopped, so that the last words are whole. */
  readonly growingUntil: number | undefined;
  /** How many of the first words are the last stable ones. Undefined: they are looked for. */
  readonly stableWords?: number | undefined;
  /** Whether these replace the stable words that start from this time on, but not the fixed ones. */
  readonly revisedFrom?: number | undefined;
  /** Stable words that start before this time are not revised any more. */
  readonly fixedUntil?: number | undefined;
}

/** A word that starts later than this before the end of growing audio may be cut off. */
const UNCERTAIN_SECONDS = 0.35;
/**
 * A less likely word waits for the next decoding, with those behind it: it often becomes another one. So does the last word, which
 * has nothing behind it yet, and after a short pause somebody often goes on. In 40 recordings of five readers 4.5 % of the words
 * change.
 */
const MIN_PROBABILITY = { growing: 0.55, pause: 0.5 };
const MIN_LAST_PROBABILITY = 0.8;
/** A less likely word is not stable yet, even if two decodings agree on it, unless it was spoken this long ago. */
const MIN_STABLE_PROBABILITY = 0.4;
const OLD_SECONDS = 2.5;
/**
 * A word before a pause that is at least this likely is stable at once, unless it is the last one. Its decoding has the whole word
 * and a longer window than those of the audio that goes on, which often replaced it by a wrong one.
 */
const MIN_PAUSED_PROBABILITY = 0.5;
/** A likelier word is fixed as soon as it is stable, unless one before it is not. */
const MIN_FIXED_PROBABILITY = 0.9;
/** Nobody repeats this many words within the seconds that are decoded. */
const REPEATED_WORDS = 3;
/** How far the times of the same word in two decodings may be apart. */
const SAME_WORD_SECONDS = 0.4;

/**
 * Keeps the words that two decodings in a row agree on, which hardly ever change afterwards, and likely words before a pause. The
 * last word of a decoding is never kept: it may be the start of a longer one.
 */
export function createAgreement(): Agreement {
  let stable: RecognizedWord[] = [];
  let fixed = 0;
  /** Words that are shown, but may change. */
  let rest: readonly RecognizedWord[] = [];
  /** Words behind them that are not shown until the pause has lasted. */
  let waiting: readonly RecognizedWord[] = [];
  /** All whole words of the last decoding behind the stable ones. */
  let last: readonly RecognizedWord[] = [];
  let draft: readonly RecognizedWord[] = [];
  return {
    get draft() {
      return draft;
    },
    get shownDraft() {
      return rest.length;
    },
    get stable() {
      return stable;
    },
    get fixed() {
      return fixed;
    },
    get words() {
      return [...stable, ...rest, ...waiting];
    },
    get shown() {
      return [...stable, ...rest];
    },
    add(words, { growingUntil, stableWords, revisedFrom, fixedUntil = 0 }) {
      const found = growingUntil === undefined ? words : unrepeated(words);
      if (revisedFrom !== undefined && stableWords) {
        const before = stable.filter(({ start }) => start < revisedFrom).length;
        const kept = Math.max(fixed, before);
        stable = [...stable.slice(0, kept), ...found.slice(kept - before, stableWords)];
      }
      const tail = stableWords ? found.slice(stableWords) : afterStable(found, stable);
      const whole =
        growingUntil === undefined ? tail : tail.filter(({ start }) => start < growingUntil - UNCERTAIN_SECONDS);
      let agreed = 0;
      const isCertain = ({ probability = 1, end }: RecognizedWord): boolean =>
        growingUntil === undefined || probability >= MIN_STABLE_PROBABILITY || end < growingUntil - OLD_SECONDS;
      for (const word of tail.slice(0, Math.max(0, Math.min(tail.length, last.length) - 1))) {
        if (!isSame(word, last[agreed]) || !isCertain(word)) break;
        agreed++;
      }
      if (growingUntil === undefined) {
        while (agreed < tail.length - 1 && (tail[agreed]?.probability ?? 0) >= MIN_PAUSED_PROBABILITY) agreed++;
      }
      const shown =
        growingUntil === undefined
          ? likely(tail, MIN_PROBABILITY.pause, { agreed, rest })
          : openEnded(withoutDoubtfulLast(likely(whole, MIN_PROBABILITY.growing, { agreed, rest }), rest, last));
      const isKept = growingUntil !== undefined && isDoubtful(tail.slice(0, agreed), shown, { rest, last });
      stable = [...stable, ...tail.slice(0, agreed)];
      rest = (isKept ? rest : shown).slice(agreed);
      waiting = growingUntil === undefined ? tail.slice(Math.max(agreed, shown.length)) : [];
      last = whole.slice(agreed);
      draft = isKept ? rest : tail.slice(agreed);
      const open = stable.slice(fixed).findIndex((word) => isRevisable(word) && word.start >= fixedUntil);
      fixed = open < 0 ? stable.length : fixed + open;
    },
    showAll() {
      [rest, waiting] = [[...rest, ...waiting], []];
    },
    cut(count) {
      const all = [...stable, ...rest, ...waiting].slice(count);
      stable = stable.slice(count);
      fixed = Math.max(0, fixed - count);
      [rest, waiting] = [all.slice(stable.length), []];
      [last, draft] = [rest, rest];
    },
  };
}

/** Recognizers that name no tokens revise nothing. */
function isRevisable({ probability = 1, tokens = [] }: RecognizedWord): boolean {
  return tokens.length > 0 && probability < MIN_FIXED_PROBABILITY;
}

/** The words behind the last stable one: it is looked for by its text, otherwise by its time. */
function afterStable(words: readonly RecognizedWord[], stable: readonly RecognizedWord[]): readonly RecognizedWord[] {
  const last = stable.at(-1);
  if (!last) return words;
  const found = words.findLastIndex(
    (word) => isSame(word, last) && Math.abs(word.start - last.start) < SAME_WORD_SECONDS,
  );
  if (found >= 0) return words.slice(found + 1);
  return words.filter(({ start, end }) => (start + end) / 2 > last.end);
}

/** Audio that ends within a word makes some recognizers start again with words before it. */
function unrepeated(words: readonly RecognizedWord[]): readonly RecognizedWord[] {
  const texts = words.map(({ text }) => plain(text));
  const phrase = (at: number): string => texts.slice(at, at + REPEATED_WORDS).join(" ");
  const end = words.findIndex((_, index) => {
    if (index + REPEATED_WORDS > words.length) return false;
    for (let before = 0; before < index; before++) if (phrase(before) === phrase(index)) return true;
    return false;
  });
  return end < 0 ? words : words.slice(0, end);
}

/** The first words that are likely, agreed on, or shown already. */
function likely(
  words: readonly RecognizedWord[],
  least: number,
  { agreed, rest }: { readonly agreed: number; readonly rest: readonly RecognizedWord[] },
): readonly RecognizedWord[] {
  const end = words.findIndex(
    (word, index) => index >= agreed && (word.probability ?? 1) < least && !isSame(word, rest[index]),
  );
  return end < 0 ? words : words.slice(0, end);
}

/** The last word has to be more likely than others, unless it is shown or the decoding before had it, too. */
function withoutDoubtfulLast(
  words: readonly RecognizedWord[],
  shown: readonly RecognizedWord[],
  before: readonly RecognizedWord[],
): readonly RecognizedWord[] {
  const index = words.length - 1;
  const word = words[index];
  const isLikely = (word?.probability ?? 1) >= MIN_LAST_PROBABILITY;
  return isLikely || isSame(word, shown[index]) || isSame(word, before[index]) ? words : words.slice(0, -1);
}

/** Whether words that are shown would change though only one decoding says so: the next one often takes it back. */
function isDoubtful(
  agreed: readonly RecognizedWord[],
  found: readonly RecognizedWord[],
  before: { readonly rest: readonly RecognizedWord[]; readonly last: readonly RecognizedWord[] },
): boolean {
  if (agreed.some((word, index) => !isSame(word, before.rest[index]))) return false;
  const shown = before.rest.slice(0, found.length);
  let kept = 0;
  // Words may come between them.
  for (const word of found) if (isSame(word, shown[kept])) kept++;
  if (kept === shown.length) return false;
  const changed = shown.findIndex((word, index) => !isSame(word, found[index]));
  return !isSame(found[changed], before.last[changed]);
}

/** While somebody speaks, a full stop after the last word only means that the audio ends there. */
function openEnded(words: readonly RecognizedWord[]): readonly RecognizedWord[] {
  const last = words.at(-1);
  if (!last) return words;
  const text = last.text.replace(/[.!?…。！？]+$/u, "");
  return text === "" ? words : [...words.slice(0, -1), { ...last, text }];
}

export function isSame(a: RecognizedWord | undefined, b: RecognizedWord | undefined): boolean {
  return a !== undefined && b !== undefined && plain(a.text) === plain(b.text);
}

/** Punctuation and case depend on what follows. */
export function plain(text: string): string {
  const letters = text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, "");
  return letters === "" ? text : letters;
}
