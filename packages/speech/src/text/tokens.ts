import {
  charAt,
  isAlphanumeric,
  isAnyDigit,
  isCjk,
  isCjkTail,
  isDigit,
  isEmoji,
  isIgnorable,
  isLetter,
  isSpace,
  isUpper,
} from "./characters.ts";
import { markAt } from "./marks.ts";

/** A written word without punctuation. */
export interface Token {
  /** Its characters, without zero-width ones, and with ASCII for similar characters. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** The position of a split before this token: before its opening quotes and brackets. */
  readonly start: number;
  readonly before: string;
  /** Punctuation up to the next token; a separate dash is in it as "—". */
  readonly after: string;
  readonly phonemes?: string;
  /** Its characters are named one by one. */
  readonly spelled?: true;
  /** The words that are spoken in its place, from a list of pronunciations. */
  readonly respelling?: string;
}

/** Longer words, except URLs, are split, so that a word always fits into a chunk. */
const MAX_WORD = 48;

/** Punctuation that separates words even without a space beside it. */
const BREAKING = new Set([..."—―…“”«»‹›„‟。、，；：！？｡､「」『』（）【】《》〈〉·・।॥،؛؟۔։።※|{}"]);
const BREAKING_OUTSIDE_ADDRESSES = new Set([..."!?;()[]"]);
const LEADING = new Set([..."\"'‘’‚`([{<>*_~-–•·.,;:!?¿¡^\\="]);
const TRAILING = new Set([..."\"'‘’`)]}<>*_~-–.,;:!?^\\="]);
/** Signs that belong to the number right after them. */
const NUMBER_SIGNS = new Set([..."-–'<>~.="]);
/** Spoken between two words; otherwise the rules of the language drop them. */
const MATH_SIGNS = new Set(["=", "==", "!=", "<", ">", "<=", ">=", "*", "^"]);
const APOSTROPHE_WORDS = /^'(?:tis|twas|twere|em|cause|til|till|n|bout|round)$/i;
const ADDRESS = /^(?:[a-z][a-z0-9+.-]*:\/\/|www\.|[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){1,4}(?::\d+)?\/)|@/i;

interface Draft {
  text: string;
  readonly from: number;
}

/** The written words of a part of the text, without marks. */
export function tokenize(text: string, from: number, to: number): Token[] {
  const tokens: Token[] = [];
  let loose = "";
  let looseFrom = -1;
  let run: Draft | undefined;
  let pieces: number[] = [];

  const push = (token: Token): void => {
    tokens.push(token);
    loose = "";
    looseFrom = -1;
  };
  /** Separate punctuation belongs to the word before it, or opens the one after it. */
  const punctuate = (characters: string, at: number): void => {
    const last = tokens.at(-1);
    if (last !== undefined) tokens[tokens.length - 1] = { ...last, after: last.after + characters };
    if (looseFrom < 0) looseFrom = at;
    loose += characters;
  };
  const closeRun = (): void => {
    if (run === undefined) return;
    const { text: raw, from: at } = run;
    const offsets = pieces;
    run = undefined;
    pieces = [];
    const [head, tail] = strip(raw);
    if (head >= tail) {
      const alone = /^[-–]$/.test(raw);
      const previous = tokens.at(-1);
      const amount = previous?.after === "" && endsAmount(previous.text, tokens.at(-2)?.text ?? "");
      if (MATH_SIGNS.has(raw) || (alone && amount && amountFollows(text, at + raw.length, to))) {
        push({ text: raw, from: at, to: at + raw.length, start: at, before: "", after: "" });
      } else punctuate(alone ? "—" : raw, at);
      return;
    }
    const start = offsets[head] ?? at;
    const opening = raw.slice(0, head);
    if (opening !== "" && looseFrom < 0) looseFrom = at;
    push({
      text: foldLookalikes(raw.slice(head, tail)),
      from: start,
      to: (offsets[tail - 1] ?? at) + 1,
      start: looseFrom >= 0 && looseFrom < start ? openingStart(text, looseFrom, start) : start,
      before: loose + opening,
      after: raw.slice(tail),
    });
  };

  for (let at = from; at < to; ) {
    const c = charAt(text, at);
    const mark = markAt(text, at, to, true);
    if (mark !== undefined && mark !== "open") {
      closeRun();
      if (mark.kind === "phonemes") {
        push({
          text: mark.ipa,
          from: mark.from,
          to: mark.end,
          start: at,
          before: loose,
          after: "",
          phonemes: mark.ipa,
        });
      }
      if (mark.kind === "spelled") {
        for (const [piece, place] of spelledPieces(text, mark.from, mark.end)) {
          const start = place === mark.from ? at : place;
          push({
            text: piece,
            from: place,
            to: place + piece.length,
            start,
            before: loose,
            after: "",
            spelled: true,
          });
        }
      }
      at = mark.to;
      continue;
    }
    if (isSpace(c) || isEmoji(c)) closeRun();
    else if (isIgnorable(c)) {
      // Dropped: the word continues after it.
    } else if (isCjk(c)) {
      closeRun();
      let end = at + c.length;
      while (end < to && isCjkTail(charAt(text, end))) end += charAt(text, end).length;
      push({ text: text.slice(at, end), from: at, to: end, start: at, before: loose, after: "" });
      at = end;
      continue;
    } else if (c === "〜" || c === "～") {
      closeRun();
      push({ text: c, from: at, to: at + 1, start: at, before: loose, after: "" });
    } else if (run !== undefined && c === "(" && /^\((?:e?s)\)/.test(text.slice(at, Math.min(to, at + 4)))) {
      // "word(s)" is read as the one word.
      at = text.indexOf(")", at) + 1;
      continue;
    } else if (breaksWord(text, at, c, run?.text ?? "", to)) {
      closeRun();
      const dots = /^(?:\.{2,}|-{2,})/.exec(text.slice(at, Math.min(to, at + 64)))?.[0];
      punctuate(dots === undefined ? c : dots.startsWith(".") ? "…" : "—", at);
      at += dots?.length ?? c.length;
      continue;
    } else {
      if (run !== undefined && run.text.length >= MAX_WORD && !ADDRESS.test(run.text)) closeRun();
      run ??= { text: "", from: at };
      for (let unit = 0; unit < c.length; unit++) pieces.push(at + unit);
      run.text += c;
    }
    at += c.length;
  }
  closeRun();
  return tokens;
}

/** Characters of one spelled token: named one by one, they fit into a chunk in every language. */
const MAX_SPELLED = 16;

/** Pieces without spaces, and their places. */
function* spelledPieces(text: string, from: number, end: number): Generator<readonly [string, number]> {
  for (const { 0: word, index } of text.slice(from, end).matchAll(/\S+/g)) {
    const characters = [...word];
    for (let at = 0, place = from + index; at < characters.length; at += MAX_SPELLED) {
      const piece = characters.slice(at, at + MAX_SPELLED).join("");
      yield [piece, place];
      place += piece.length;
    }
  }
}

/** The start and end of a word without its opening and closing punctuation. */
function strip(raw: string): [number, number] {
  let head = 0;
  while (head < raw.length && LEADING.has(raw[head] ?? "") && !keepsSign(raw, head)) head++;
  let tail = raw.length;
  while (tail > head && TRAILING.has(raw[tail - 1] ?? "")) tail--;
  return [head, tail];
}

function keepsSign(raw: string, at: number): boolean {
  const sign = raw[at] ?? "";
  const next = raw[at + 1] ?? "";
  if (isAnyDigit(next) || (next === "." && isAnyDigit(raw[at + 2] ?? ""))) return NUMBER_SIGNS.has(sign);
  if (sign === "-" || sign === "–") return /^[$€£¥₹√]\p{Nd}/u.test(raw.slice(at + 1, at + 3));
  if (sign === ".") return isLetter(next) && /^\.[A-Za-z]+$/.test(raw.slice(at));
  return (
    (sign === "'" || sign === "’") &&
    APOSTROPHE_WORDS.test(
      raw
        .slice(at)
        .replaceAll("’", "'")
        .replace(/[.,;:!?'"]+$/, ""),
    )
  );
}

function breaksWord(text: string, at: number, c: string, run: string, to: number): boolean {
  const next = at + 1 < to ? (text[at + 1] ?? "") : "";
  // "10：30" is a time.
  if (c === "：" && isAnyDigit(run.at(-1) ?? "") && isAnyDigit(next)) return false;
  if (BREAKING.has(c)) return true;
  // A bracket does not close in front of a word without a space: "日(土)10時".
  if (run === "" && (c === ")" || c === "]")) return true;
  if (c === "." && next === ".") return true;
  // "(yes).And": a missing space, and not the name of a file.
  const closed = c === ")" && next === "." && isLetter(text[at + 2] ?? "");
  if (!ADDRESS.test(run) && ((closed && run !== "") || (c === "." && run === "" && text[at - 1] === ")"))) return true;
  // "--flag" opens a word, "so--well" separates two.
  if (c === "-" && next === "-") return run !== "" || !isLetter(text[at + 2] ?? "");
  // "TL;DR" is one word.
  if (c === ";" && isUpper(run.at(-1) ?? "") && isUpper(next)) return false;
  if (BREAKING_OUTSIDE_ADDRESSES.has(c)) {
    if (run === "" || ADDRESS.test(run) || isPlan(text, at, run)) return false;
    return isAlphanumeric(next) || isNegative(text, at + 1, c);
  }
  if (c === ",")
    return (
      run !== "" && isAlphanumeric(next) && !(isAnyDigit(run.at(-1) ?? "") && isAnyDigit(next)) && !ADDRESS.test(run)
    );
  return false;
}

/** "401(k)" and "501(c)(3)" are one word. */
const isPlan = (text: string, at: number, run: string): boolean =>
  text[at] === "(" && /^(?:\d{3}|\d{3}\([a-z])\)?$/.test(run) && /^\([a-z\d]\)/.test(text.slice(at, at + 3));

/** "NO?-34": a number with its sign follows. */
const isNegative = (text: string, at: number, c: string): boolean =>
  (c === "?" || c === "!") && text[at] === "-" && isAnyDigit(text[at + 1] ?? "");

/** The position in separate punctuation at which the opening of the next word starts: after the last space. */
function openingStart(text: string, from: number, to: number): number {
  let at = to;
  while (at > from && !isSpace(text[at - 1] ?? "")) at--;
  return at;
}

/** A number, also with a sign or with "pm" behind it, or the variable of a formula. */
const endsAmount = (text: string, previous: string): boolean =>
  /\d[%°€$£]?$|^\d[\d:.]*[ap]m$|^[b-hj-z]$/i.test(text) || (/^[ap]m$/i.test(text) && /\d$/.test(previous));

function amountFollows(text: string, at: number, to: number): boolean {
  let next = at;
  while (next < to && isSpace(text[next] ?? "")) next++;
  return /^(?:[-$€£+]?\p{Nd}|[b-hj-z](?:[^\p{L}\p{N}]|$))/u.test(text.slice(next, Math.min(to, next + 3)));
}

/** Typographic apostrophes, full-width forms and the digits of other scripts, as ASCII. */
function foldLookalikes(text: string): string {
  if (/^[ -~]*$/.test(text)) return text;
  let out = "";
  for (const c of text) {
    const code = c.codePointAt(0) ?? 0;
    if (c === "’" || c === "‘" || c === "ʼ" || c === "＇" || c === "′") out += "'";
    else if (c === "−" || c === "‐" || c === "‑" || c === "‒") out += "-";
    else if (c === "⁄" || c === "∕") out += "/";
    else if (code >= 0xff01 && code <= 0xff5e) out += String.fromCharCode(code - 0xfee0);
    else if (code > 0x7f && /\p{Nd}/u.test(c)) out += String(digitValue(code));
    else out += c;
  }
  return out.normalize("NFC");
}

/** The decimal digits of every script are ten consecutive code points, starting with zero. */
function digitValue(code: number): number {
  const folded = String.fromCodePoint(code).normalize("NFKC");
  if (isDigit(folded)) return Number(folded);
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
  return value;
}
