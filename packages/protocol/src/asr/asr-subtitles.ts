import type { AsrSegment } from "./asr-result.ts";

/** Maximum characters in a line, as broadcasters recommend. East Asian characters count double. */
const LINE_WIDTH = 42;
const LINES = 2;

/** One caption. */
interface Cue {
  /** Who speaks, where that is known. */
  readonly speaker: string | undefined;
  readonly lines: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** SubRip, with speakers before a colon. It has no escaping, so an arrow in the text is replaced: some players would refuse the file. */
export function toSrt(segments: readonly AsrSegment[]): string {
  return toCues(segments)
    .map(({ speaker, lines, start, end }, index) => {
      const said = lines.map((line) => line.replaceAll("-->", "→")).join("\n");
      const text = speaker === undefined ? said : `${speaker.replace(/-->|\s+/g, " ")}: ${said}`;
      return `${index + 1}\n${clock(start, ",")} --> ${clock(end, ",")}\n${text}\n`;
    })
    .join("\n");
}

/** WebVTT, with speakers as voice spans. */
export function toVtt(segments: readonly AsrSegment[]): string {
  const cues = toCues(segments).map(({ speaker, lines, start, end }) => {
    const voice = speaker === undefined ? "" : `<v ${escapeVtt(speaker.replace(/\s+/g, " "))}>`;
    const text = voice + lines.map(escapeVtt).join("\n");
    return `\n${clock(start, ".")} --> ${clock(end, ".")}\n${text}\n`;
  });
  return `WEBVTT\n${cues.join("")}`;
}

function escapeVtt(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Cues that fit on the screen, in order and without overlap. Times are in milliseconds. */
function toCues(segments: readonly AsrSegment[]): readonly Cue[] {
  const cues = segments.flatMap(cuesOf);
  return cues.map((cue, index) => {
    const next = cues[index + 1];
    const end = next === undefined ? cue.end : Math.min(cue.end, next.start);
    return { ...cue, end: Math.max(end, cue.start + 1) };
  });
}

/** A segment with more text than fits becomes several cues, which share its time by their length. */
function cuesOf({ text, start, end, speaker }: AsrSegment): readonly Cue[] {
  const lines = wrap(text);
  const width = lines.reduce((sum, line) => sum + widthOf(line), 0);
  const cues: Cue[] = [];
  let shown = 0;
  const at = (share: number): number => Math.round((start + (end - start) * share) * 1000);
  for (let line = 0; line < lines.length; line += LINES) {
    const some = lines.slice(line, line + LINES);
    const from = shown / width;
    shown += some.reduce((sum, each) => sum + widthOf(each), 0);
    cues.push({ speaker, lines: some, start: at(from), end: at(shown / width) });
  }
  return cues;
}

/** Lines of about equal length, none wider than a line may be unless a single word is. */
function wrap(text: string): readonly string[] {
  const pieces =
    text
      .replace(/\s+/g, " ")
      .trim()
      .match(/[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+ ?|\S ?/gu) ?? [];
  const total = widthOf(pieces.join(""));
  const count = Math.ceil(total / LINE_WIDTH);
  const goal = total / count;
  const lines: string[] = [];
  let line = "";
  for (const piece of pieces) {
    const together = widthOf((line + piece).trimEnd());
    // The line has its share of the text, or the word does not fit.
    const full = together > LINE_WIDTH || (widthOf(line) > 0 && lines.length < count - 1 && together > goal * 1.15);
    if (full && line !== "" && !/^[\p{P}]/u.test(piece)) {
      lines.push(line.trimEnd());
      line = "";
    }
    line += piece;
  }
  if (line.trim() !== "") lines.push(line.trimEnd());
  return lines;
}

function widthOf(text: string): number {
  let width = 0;
  for (const character of text)
    width += /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/.test(
      character,
    )
      ? 2
      : 1;
  return width;
}

/** 01:02:03,004 */
function clock(milliseconds: number, mark: "," | "."): string {
  const whole = Math.max(0, milliseconds);
  const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  return `${two(whole / 3_600_000)}:${two((whole / 60_000) % 60)}:${two((whole / 1000) % 60)}${mark}${String(whole % 1000).padStart(3, "0")}`;
}
