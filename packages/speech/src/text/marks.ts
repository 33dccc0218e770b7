import { arpabetToIpa, asIpa } from "./arpabet.ts";
import { isKnownCue } from "./cues.ts";

/** A part of the text that is not spoken as written. Ordinary text continues at `to`. */
export type Mark =
  | { readonly kind: "pause"; readonly to: number; readonly seconds: number }
  | { readonly kind: "speaker"; readonly to: number; readonly speaker: number }
  /** The text after it is spoken in another way. */
  | { readonly kind: "delivery"; readonly to: number; readonly change: Partial<Omit<Delivery, "speaker">> }
  /** The characters from `from` to `end` are named one by one. */
  | { readonly kind: "spelled"; readonly to: number; readonly from: number; readonly end: number }
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

/** How text is spoken from a mark on. */
export interface Delivery {
  /** The N of the latest `<|speaker:N|>`, 0 before any. */
  readonly speaker: number;
  /** BCP 47. Undefined: the language is found. */
  readonly language: string | undefined;
  /** Multiplied with the speed of the request. */
  readonly speed: number;
  /** dB, added to the volume of the request. */
  readonly volume: number;
}

export const PLAIN_DELIVERY: Delivery = { speaker: 0, language: undefined, speed: 1, volume: 0 };

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
const MAX_ENCLOSED = 200;
const MAX_LINK = 500;
const MAX_SPEAKER = 999;
/** "[break 800ms]" with some spaces. */
const MAX_TIMED_BREAK = 24;
/** The maximum of one pause, and of consecutive ones together. */
export const MAX_PAUSE_SECONDS = 10;
const SPEEDS = { min: 0.5, max: 2 };
const VOLUMES = { min: -20, max: 20 };

const CUE_CHARACTER = /[\p{L}\p{M}\s\-_,;:.!?'’&/]/u;
const PHONEME_START = "<|phoneme_start|>";
const PHONEME_END = "<|phoneme_end|>";
const SPELL_START = "<|spell_start|>";
const SPELL_END = "<|spell_end|>";
const SPEAKER = /^speaker:\s*(\d{1,6})$/;
const LANGUAGE = /^language:\s*([a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}|auto)$/i;
const SPEED = /^speed:\s*(\d{1,3}(?:\.\d{1,3})?)$/;
const VOLUME = /^volume:\s*([+-]?\d{1,3}(?:\.\d{1,3})?)$/;
const TIMED_BREAK = /^\[\s*break\s+(\d{1,5}(?:\.\d{1,3})?)\s*(ms|s)\s*\]/i;
const TIMED_BREAK_BEGUN = /^\[\s*break\s+\d[\d.]*\s*m?s?\s*$/i;

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

/** "[break 1.5s]". The other cues contain no digits. */
function timedBreak(text: string, at: number, end: number, final: boolean): MarkAt {
  const stop = Math.min(end, at + MAX_TIMED_BREAK);
  const begun = text.slice(at, stop);
  const [whole, amount, unit] = TIMED_BREAK.exec(begun) ?? [];
  if (whole !== undefined) {
    const seconds = unit?.toLowerCase() === "ms" ? Number(amount) / 1000 : Number(amount);
    return { kind: "pause", to: at + whole.length, seconds: Math.min(seconds, MAX_PAUSE_SECONDS) };
  }
  return stop === end && !final && TIMED_BREAK_BEGUN.test(begun) ? "open" : undefined;
}

function bracketed(text: string, at: number, end: number, final: boolean): MarkAt {
  const timed = timedBreak(text, at, end, final);
  if (timed !== undefined) return timed;
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
  if (name === SPELL_START.slice(2, -2)) return spelled(text, to, end, final);
  const change = deliveryChange(name);
  return change === undefined ? { kind: "silent", to } : { kind: "delivery", to, change };
}

function deliveryChange(name: string): Partial<Omit<Delivery, "speaker">> | undefined {
  const language = LANGUAGE.exec(name)?.[1];
  if (language !== undefined) return { language: language.toLowerCase() === "auto" ? undefined : language };
  const speed = SPEED.exec(name)?.[1];
  if (speed !== undefined) return { speed: within(Number(speed), SPEEDS) };
  const volume = VOLUME.exec(name)?.[1];
  return volume === undefined ? undefined : { volume: within(Number(volume), VOLUMES) };
}

const within = (value: number, { min, max }: { readonly min: number; readonly max: number }): number =>
  Math.min(max, Math.max(min, value));

/** The content between two tags: "open" while the closing tag may still come, undefined where there is none. */
function enclosed(text: string, from: number, end: number, final: boolean, tag: string): string | "open" | undefined {
  const stop = Math.min(end, from + MAX_ENCLOSED + tag.length);
  const next = text.slice(from, stop).indexOf("<|");
  if (next === -1) return stop === end && !final ? "open" : undefined;
  const close = from + next;
  const found = text.slice(close, Math.min(end, close + tag.length));
  if (found.length < tag.length && tag.startsWith(found) && !final) return "open";
  return found === tag ? text.slice(from, close) : undefined;
}

function spelled(text: string, from: number, end: number, final: boolean): MarkAt {
  const content = enclosed(text, from, end, final, SPELL_END);
  if (content === "open") return "open";
  if (content === undefined || content.trim() === "") return { kind: "silent", to: from };
  const close = from + content.length;
  return { kind: "spelled", to: close + SPELL_END.length, from, end: close };
}

function phonemes(text: string, from: number, end: number, final: boolean): MarkAt {
  const content = enclosed(text, from, end, final, PHONEME_END);
  if (content === "open") return "open";
  const ipa = content === undefined ? undefined : (arpabetToIpa(content) ?? asIpa(content));
  // No closing tag, or another notation: the tags are dropped and their content is read as text.
  if (content === undefined || ipa === undefined) return { kind: "silent", to: from };
  const lead = content.length - content.trimStart().length;
  return {
    kind: "phonemes",
    to: from + content.length + PHONEME_END.length,
    from: from + lead,
    end: from + content.trimEnd().length,
    ipa,
  };
}
