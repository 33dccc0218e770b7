import {
  ALSO_WORDS,
  GERMAN_MONTHS,
  MAYBE_LAST,
  MEASURES,
  NEVER_LAST,
  ROMANCE_MAYBE_LAST,
  ROMANCE_NEVER_LAST,
  ROMANCE_STARTERS,
  SENTENCE_STARTERS,
  TIME_NAMES,
} from "./abbreviations.ts";
import {
  CLOSERS,
  charAt,
  FULL_STOPS,
  isCjk,
  isDigit,
  isEmoji,
  isIgnorable,
  isLetter,
  isLower,
  isSpace,
  isUpper,
  OPENERS,
  wholeBefore,
} from "./characters.ts";
import { type Delivery, markAt } from "./marks.ts";
import type { Boundary } from "./types.ts";

/** A sentence, or the part of one before a mark, a paragraph or the maximum length. Sentences cover the text without gaps. */
export interface Sentence {
  readonly from: number;
  readonly to: number;
  readonly boundary: Boundary;
  readonly delivery: Delivery;
  /** Seconds of the pause mark at its end. */
  readonly pause: number;
}

/** A sentence whose end is not known yet; before `safe` no mark is incomplete. */
export interface OpenSentence {
  readonly open: true;
  readonly from: number;
  readonly safe: number;
  readonly delivery: Delivery;
}

/** The maximum length of a sentence, so that every planning step is bounded. */
export const MAX_SENTENCE = 1000;
/** A line of at least this length that ends without a stop was wrapped by an editor. */
const WRAPPED_LINE = 55;
const MAX_WORD_BACK = 24;
/** A run-on sentence without spaces is split after one of them. */
const WIDE_COMMAS = new Set(["、", "，", "；", "､"]);
/** They continue a sentence after a quotation: 「はい。」と言った. */
const AFTER_QUOTATION = new Set(["と", "っ", "、", "，"]);

interface Scan {
  readonly text: string;
  readonly from: number;
  readonly end: number;
  readonly final: boolean;
}

/** Whether a sentence ends at a position; "unknown" while the text that decides it has not arrived. */
type Verdict = boolean | "unknown";

/** The sentence that starts at `from`. Text after `end` is ignored; with `final` no more will arrive. */
export function sentenceAt(
  text: string,
  from: number,
  end: number,
  final: boolean,
  deliveryBefore: Delivery,
): Sentence | OpenSentence | undefined {
  if (from >= end) return undefined;
  const scan: Scan = { text, from, end, final };
  let delivery = deliveryBefore;
  let spoken = false;
  let lineStart = from;
  let lastSpace = -1;
  const limit = from + MAX_SENTENCE;
  const open = (safe: number): OpenSentence => ({ open: true, from, safe, delivery });
  const close = (at: number, boundary: Boundary, pause = 0): Sentence | OpenSentence => {
    const to = skipSpace(text, at, Math.min(end, at + MAX_SENTENCE));
    if (to === end && !final) return open(at);
    const gap = newlines(text, at, to);
    return { from, to, boundary: gap >= 2 && boundary !== "clause" ? "paragraph" : boundary, delivery, pause };
  };

  for (let at = from; at < end; ) {
    if (at >= limit) return cutRunOn(scan, at, lastSpace, delivery);
    const c = charAt(text, at);
    const mark = markAt(text, at, end, final);
    if (mark === "open") return open(at);
    if (mark !== undefined) {
      if (mark.kind === "pause")
        return close(mark.to, spoken && !stopsBefore(text, from, at) ? "clause" : "sentence", mark.seconds);
      if (mark.kind === "speaker") {
        if (spoken) return { from, to: at, boundary: "sentence", delivery, pause: 0 };
        delivery = { ...delivery, speaker: mark.speaker };
      }
      if (mark.kind === "delivery") {
        // In the middle of a sentence there is no pause.
        const boundary = stopsBefore(text, from, at) ? "sentence" : "phrase";
        if (spoken) return { from, to: at, boundary, delivery, pause: 0 };
        delivery = { ...delivery, ...mark.change };
      }
      spoken ||= mark.kind === "phonemes" || mark.kind === "spelled";
      at = mark.to;
    } else if (c === "\n") {
      const verdict = spoken ? lineEnds(scan, lineStart, at) : false;
      if (verdict === "unknown") return open(at);
      if (verdict) return close(at, "sentence");
      lastSpace = at;
      lineStart = ++at;
    } else if (isStop(c)) {
      const stop = stopEnd(text, at, Math.min(end, limit));
      const verdict = spoken ? stopVerdict(scan, at, stop) : false;
      if (verdict === "unknown") return open(stop);
      if (verdict) return close(closersEnd(text, stop, Math.min(end, stop + MAX_SENTENCE)), "sentence");
      at = stop;
    } else {
      if (isSpace(c) || WIDE_COMMAS.has(c)) lastSpace = at;
      else if (!isEmoji(c) && !isIgnorable(c)) spoken = true;
      at += c.length;
    }
  }
  return final ? { from, to: end, boundary: "sentence", delivery, pause: 0 } : open(end);
}

/** The split at the maximum length: at the last space, or inside a word if there is none. */
function cutRunOn(scan: Scan, at: number, lastSpace: number, delivery: Delivery): Sentence {
  const to = lastSpace > scan.from ? lastSpace + 1 : wholeBefore(scan.text, at);
  return { from: scan.from, to, boundary: "clause", delivery, pause: 0 };
}

const isStop = (c: string): boolean => c === "." || c === "!" || c === "?" || c === "…" || FULL_STOPS.has(c);

function stopEnd(text: string, at: number, end: number): number {
  let to = at;
  while (to < end && isStop(text[to] ?? "")) to++;
  return to;
}

function closersEnd(text: string, at: number, end: number): number {
  let to = at;
  while (to < end && CLOSERS.has(text[to] ?? "")) to++;
  return to;
}

function skipSpace(text: string, at: number, end: number): number {
  let to = at;
  while (to < end && isSpace(text[to] ?? "")) to++;
  return to;
}

function newlines(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) if (text[at] === "\n" || text[at] === "\u2029") count++;
  return count;
}

/** Whether the last thing before `at` is a stop (perhaps inside a closing quote). */
function stopsBefore(text: string, from: number, at: number): boolean {
  let back = at - 1;
  while (back > from && (isSpace(text[back] ?? "") || CLOSERS.has(text[back] ?? ""))) back--;
  return isStop(text[back] ?? "");
}

/** A line break ends a sentence (headings, lists, verse) unless the line was only wrapped. */
function lineEnds(scan: Scan, lineStart: number, at: number): Verdict {
  const next = skipSpace(scan.text, at, Math.min(scan.end, at + MAX_SENTENCE));
  if (newlines(scan.text, at, next) >= 2) return true;
  if (next >= scan.end) return scan.final ? true : "unknown";
  const c = charAt(scan.text, next);
  if (isLower(c)) return false;
  const wrapped = at - lineStart >= WRAPPED_LINE && (isLetter(c) || isDigit(c) || OPENERS.has(c));
  return !(wrapped && !isListItem(scan.text.slice(next, Math.min(scan.end, next + 5))));
}

const isListItem = (line: string): boolean => /^(?:\d{1,3}[.)]\s|[-*•]\s)/.test(line);

function stopVerdict(scan: Scan, at: number, stop: number): Verdict {
  const { text, end, final } = scan;
  const run = text.slice(at, stop);
  const closed = closersEnd(text, stop, end);
  const full = [...run].some((c) => FULL_STOPS.has(c));
  if (full && closed === stop) return true;
  if (closed >= end) return final ? true : "unknown";
  const after = charAt(text, closed);
  if (full) return !AFTER_QUOTATION.has(after);
  if (!isSpace(after)) {
    if (isCjk(after) || isEmoji(after) || (after === "<" && text[closed + 1] === "|")) return true;
    if (after === "[") return run !== "." || !isAbbreviation(wordBefore(scan, at));
    return run === "." && closed === stop && missingSpace(scan, at);
  }
  const next = nextWord(scan, closed);
  if (next === "unknown") return "unknown";
  if (next === "") return true;
  const lower = isLower(charAt(next, 0));
  // "“Stop!” he said": the end of a quotation is not the end of the sentence.
  if (closed > stop && lower) return false;
  if (run === "…" || (run.length > 1 && /^\.+$/.test(run))) return !lower;
  return run === "." ? dotVerdict(scan, at, next) : true;
}

/** The letters right before a stop, inner dots, hyphens and apostrophes included: "U.S", "Mr", "J". */
function wordBefore(scan: Scan, at: number): string {
  let from = at;
  const first = Math.max(scan.from, at - MAX_WORD_BACK);
  while (from > first && /[\p{L}\p{M}\p{N}.'’-]/u.test(scan.text[from - 1] ?? "")) from--;
  return scan.text.slice(from, at);
}

/** The word (or symbol) after the space, without quotes; "" where the paragraph or the text ends. */
function nextWord(scan: Scan, at: number): string | "unknown" {
  const { text, end, final } = scan;
  let from = skipSpace(text, at, Math.min(end, at + MAX_SENTENCE));
  if (newlines(text, at, from) >= 2) return "";
  while (from < end && OPENERS.has(text[from] ?? "") && text[from] !== "[") from++;
  let to = from;
  while (to < end && to - from < 20 && /[\p{L}\p{M}\p{N}'’]/u.test(charAt(text, to))) to += charAt(text, to).length;
  if (to >= end && !final) return "unknown";
  // The dot of an initial is part of the word: "Dr. A. B. Smith" continues.
  const initial = to - from === 1 && text[to] === "." && isLetter(text[from] ?? "");
  return to === from ? charAt(text, from) : text.slice(from, initial ? to + 1 : to);
}

function isAbbreviation(word: string): boolean {
  const bare = word.replace(/^[.'’-]+/, "").toLowerCase();
  return [NEVER_LAST, MAYBE_LAST, ROMANCE_NEVER_LAST, ROMANCE_MAYBE_LAST].some((list) => list.has(bare));
}

const INITIALS = /^(?:\p{Lu}|\p{L}(?:\.\p{L})+)$/u;

/** "am 3. Mai", "im 19. Jahrhundert": the dot makes an ordinal. */
function isGermanOrdinal(scan: Scan, at: number, word: string, next: string): boolean {
  if (!/^\d{1,3}$/.test(word)) return false;
  const before = scan.text.slice(Math.max(scan.from, at - MAX_WORD_BACK), at);
  return (
    (Number(word) <= 31 && GERMAN_MONTHS.has(next.toLowerCase())) ||
    /(?:^|\s)(?:der|den|dem|zum|zur|beim|im|vom)\s\d{1,3}$/i.test(before)
  );
}

function dotVerdict(scan: Scan, at: number, next: string): boolean {
  // The article of "l'art. 3" is no part of the abbreviation.
  const word = wordBefore(scan, at).replace(/^(?:[.'’-]+|(?:[dl]|un|all|dall|dell|nell|sull)['’](?=\p{L}))/iu, "");
  const lower = word.toLowerCase();
  const first = charAt(next, 0);
  // "1. First", "a. first": the number of a list item.
  if (/^(?:\d{1,3}|[a-z])$/i.test(word) && scan.text.slice(scan.from, at).trim() === word) return false;
  if (isGermanOrdinal(scan, at, word, next)) return false;
  // "a. C.", "p. m.": letters with dots and spaces between; "476 d. C. y".
  const letter = /^\p{L}$/u.test(word);
  if (letter && (/^\p{L}\.$/u.test(next) || isLower(first))) return false;
  if (/^(\p{Lu})\1$/u.test(word) && ROMANCE_NEVER_LAST.has(lower)) return false;
  // "MM. Petit": the French title, unlike "5 mm.".
  if (word === "MM") return false;
  // "Ludwig XIV. im Bild", "Hauptstr. 5".
  if (/^[IVXLC]{2,}$/.test(word) && isLower(first)) return false;
  if (/\p{Ll}str$/u.test(word) && isDigit(first)) return false;
  // "EST." and "AM." in capitals are initials that a sentence may well end with.
  const dated = MAYBE_LAST.has(lower) && isDigit(first);
  if (/^\p{Lu}{2,}$/u.test(word) && !ROMANCE_MAYBE_LAST.has(lower) && !dated) return true;
  // "sec. XIX" is a century.
  const numbered = ALSO_WORDS.has(lower) && /^[IVXLC]{2,}$/.test(next);
  if (MEASURES.has(lower) && isLower(charAt(word, 0)) && !numbered)
    return isUpper(first) && !TIME_NAMES.has(next.toLowerCase());
  if (ALSO_WORDS.has(lower) && !(letter && isUpper(word)))
    return !isDigit(first) && !(lower !== "no" && /^[IVXLC]+$/.test(next));
  if (NEVER_LAST.has(lower) || ROMANCE_NEVER_LAST.has(lower)) return false;
  if (ROMANCE_MAYBE_LAST.has(lower)) return isUpper(first) && ROMANCE_STARTERS.has(next.toLowerCase());
  if (lower === "etc" || lower === "jh") return !isLower(first);
  if (MAYBE_LAST.has(lower) || INITIALS.test(word)) {
    return isUpper(first) && SENTENCE_STARTERS.has(next.replaceAll("’", "'").toLowerCase());
  }
  return true;
}

/** "…the end.The next": a missing space between two sentences, unlike file names and addresses. */
function missingSpace(scan: Scan, at: number): boolean {
  const { text } = scan;
  if (!/^\p{Lu}(?:\p{Ll}|\s)/u.test(text.slice(at + 1, Math.min(scan.end, at + 3)))) return false;
  return /(?:^|\s)\p{Ll}{2,}$/u.test(text.slice(Math.max(scan.from, at - MAX_WORD_BACK), at));
}
