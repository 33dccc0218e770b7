import { arpabetToIpa, asIpa } from "./arpabet.ts";
import { isKnownCue } from "./cues.ts";

/** A part of the text that is not spoken as written. Ordinary text continues at `to`. */
export type Mark =
  | { readonly kind: "pause"; readonly to: number; readonly seconds: number }
  | { readonly kind: "speaker"; readonly to: number; readonly speaker: number }
  /** `from` and `end` enclose the text between the tags. */
  | {
      readonly kind: "phonemes";
      readonly to: number;
      readonly from: number;
      readonly end: number;
      readonly ipa: string;
    }
  /** A cue, an unknown control token, the URL of a markdown link: nothing is spoken. */
  | { readonly kind: "silent"; readonly to: number };

/** What starts at a position: a mark, `undefined` for ordinary text, or "open" while more text is needed to decide. */
export type MarkAt = Mark | "open" | undefined;

export const SHORT_PAUSE_SECONDS = 0.5;
export const LONG_PAUSE_SECONDS = 1.2;

const PAUSES: Readonly<Record<string, number>> = {
  break: SHORT_PAUSE_SECONDS,
  "short-break": SHORT_PAUSE_SECONDS,
  "long-break": LONG_PAUSE_SECONDS,
};

// Limits of the look-ahead, so that a text of opening brackets only stays cheap.
const MAX_CUE = 100;
const MAX_PARENTHESISED_CUE = 40;
const MAX_CONTROL = 64;
const MAX_PHONEMES = 200;
const MAX_LINK = 500;
const MAX_SPEAKER = 999;

const CUE_CHARACTER = /[\p{L}\p{M}\s\-_,;:.!?'’&/]/u;
const PHONEME_START = "<|phoneme_start|>";
const PHONEME_END = "<|phoneme_end|>";
const SPEAKER = /^speaker:\s*(\d{1,6})$/;

/** The mark that starts at `at`. Text after `end` is ignored; with `final` no more will arrive. */
export function markAt(text: string, at: number, end: number, final: boolean): MarkAt {
  switch (text[at]) {
    case "[":
      return bracketed(text, at, end, final);
    case "(":
      return parenthesised(text, at, end, final);
    case "<":
      return control(text, at, end, final);
    default:
      return undefined;
  }
}

/** The index of `close`; -1 if something that no cue contains comes before it, -2 if the text ends first. */
function cueEnd(text: string, from: number, end: number, close: string, longest: number): number {
  const stop = Math.min(end, from + longest);
  for (let at = from; at < stop; at++) {
    const character = text[at] ?? "";
    if (character === close) return at;
    if (character === "\n" || !CUE_CHARACTER.test(character)) return -1;
  }
  return stop === end ? -2 : -1;
}

function bracketed(text: string, at: number, end: number, final: boolean): MarkAt {
  const close = cueEnd(text, at + 1, end, "]", MAX_CUE);
  if (close === -2 && !final) return "open";
  if (close < 0) return undefined;
  const content = text.slice(at + 1, close).trim();
  if (!/\p{L}/u.test(content)) return undefined;
  const seconds = PAUSES[content.toLowerCase().replace(/[\s_]+/g, "-")];
  if (seconds !== undefined) return { kind: "pause", to: close + 1, seconds };
  // "[the guide](https://…)": the brackets contain the text of a link, which is spoken.
  if (close + 1 >= end && !final) return "open";
  const link = text[close + 1] === "(" ? linkEnd(text, close + 1, end) : -1;
  if (link === -2 && !final) return "open";
  if (link >= 0) return undefined;
  return { kind: "silent", to: close + 1 };
}

function parenthesised(text: string, at: number, end: number, final: boolean): MarkAt {
  if (text[at - 1] === "]") {
    const close = linkEnd(text, at, end);
    if (close >= 0) return { kind: "silent", to: close + 1 };
    if (close === -2 && !final) return "open";
  }
  const close = cueEnd(text, at + 1, end, ")", MAX_PARENTHESISED_CUE);
  if (close === -2 && !final) return "open";
  if (close < 0) return undefined;
  const content = text.slice(at + 1, close);
  const seconds =
    PAUSES[
      content
        .trim()
        .toLowerCase()
        .replace(/[\s_]+/g, "-")
    ];
  if (seconds !== undefined) return { kind: "pause", to: close + 1, seconds };
  return isKnownCue(content) ? { kind: "silent", to: close + 1 } : undefined;
}

/** The index of the ")" after a URL; -1 if there is no URL, -2 if the text ends inside it. */
function linkEnd(text: string, at: number, end: number): number {
  const stop = Math.min(end, at + MAX_LINK);
  for (const start of ["http://", "https://", "mailto:", "/", "#"]) {
    const known = text.slice(at + 1, Math.min(end, at + 1 + start.length));
    if (!start.startsWith(known)) continue;
    if (known.length < start.length) return -2;
    for (let place = at + 1; place < stop; place++) {
      if (text[place] === ")") return place;
      if (/\s/.test(text[place] ?? "")) return -1;
    }
    return stop === end ? -2 : -1;
  }
  return -1;
}

function control(text: string, at: number, end: number, final: boolean): MarkAt {
  if (at + 1 >= end) return final ? undefined : "open";
  if (text[at + 1] !== "|") return undefined;
  const stop = Math.min(end, at + MAX_CONTROL);
  for (let close = at + 2; close < stop; close++) {
    const character = text[close];
    if (character === "|" && text[close + 1] === ">" && close + 1 < end)
      return controlToken(text, at, close, end, final);
    // Unclosed: only the opening is dropped, the rest is text.
    if (character === "\n" || character === "<") return { kind: "silent", to: at + 2 };
  }
  if (stop === end && !final) return "open";
  return { kind: "silent", to: at + 2 };
}

function controlToken(text: string, at: number, close: number, end: number, final: boolean): MarkAt {
  const to = close + 2;
  const name = text.slice(at + 2, close).trim();
  const [, speaker] = SPEAKER.exec(name) ?? [];
  if (speaker !== undefined) return { kind: "speaker", to, speaker: Math.min(Number(speaker), MAX_SPEAKER) };
  if (name === PHONEME_START.slice(2, -2)) return phonemes(text, to, end, final);
  return { kind: "silent", to };
}

function phonemes(text: string, from: number, end: number, final: boolean): MarkAt {
  const stop = Math.min(end, from + MAX_PHONEMES + PHONEME_END.length);
  const next = text.slice(from, stop).indexOf("<|");
  if (next === -1) return stop === end && !final ? "open" : { kind: "silent", to: from };
  const close = from + next;
  const tag = text.slice(close, Math.min(end, close + PHONEME_END.length));
  if (tag.length < PHONEME_END.length && PHONEME_END.startsWith(tag) && !final) return "open";
  if (tag !== PHONEME_END) return { kind: "silent", to: from };
  const content = text.slice(from, close);
  const ipa = arpabetToIpa(content) ?? asIpa(content);
  // Another notation: the tags are dropped and their content is read as text.
  if (ipa === undefined) return { kind: "silent", to: from };
  const lead = content.length - content.trimStart().length;
  return {
    kind: "phonemes",
    to: close + PHONEME_END.length,
    from: from + lead,
    end: from + content.trimEnd().length,
    ipa,
  };
}
