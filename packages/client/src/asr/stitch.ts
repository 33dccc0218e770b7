import { roundTime } from "@parlance/protocol";
import { joinSpeakers } from "./join-speakers.ts";
import type { FinishedPart, Transcript } from "./types.ts";

/** Joins the transcripts of the parts, in order. Times count from the start of the recording. */
export function stitch(parts: readonly FinishedPart[], duration: number, speakerCount?: number): Transcript {
  const joined = joinSpeakers(parts, speakerCount);
  const speakerOf = (part: number, speaker: string | undefined): { readonly speaker?: string } =>
    speaker === undefined ? {} : { speaker: joined?.labels[part]?.get(speaker) ?? speaker };
  return {
    text: parts.map(({ result }) => result.text.trim()).reduce(joinTexts, ""),
    duration: roundTime(duration),
    segments: parts.flatMap(({ start, result }, part) =>
      result.segments.map((segment) => ({
        text: segment.text,
        start: roundTime(start + segment.start),
        end: roundTime(start + segment.end),
        ...speakerOf(part, segment.speaker),
      })),
    ),
    ...(joined === undefined ? {} : { speakers: joined.speakers }),
    language: mainLanguage(parts),
  };
}

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}、。，！？：；]/u;

function joinTexts(before: string, next: string): string {
  if (before === "" || next === "") return before + next;
  const unspaced = UNSPACED.test(before.slice(-1)) && UNSPACED.test(next.slice(0, 1));
  return `${before}${unspaced ? "" : " "}${next}`;
}

/** The language with the most text. */
function mainLanguage(parts: readonly FinishedPart[]): string | null {
  const characters = new Map<string, number>();
  for (const { result } of parts) {
    const language = result.language_code ?? result.language;
    if (language !== null) characters.set(language, (characters.get(language) ?? 0) + result.text.length);
  }
  const [first] = [...characters].sort((a, b) => b[1] - a[1]);
  return first?.[0] ?? null;
}
