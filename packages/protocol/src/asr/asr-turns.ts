import type { AsrSegment } from "./asr-result.ts";

/** Segments in a row of one speaker. */
export interface Turn {
  readonly speaker: string | undefined;
  readonly segments: readonly AsrSegment[];
}

export function turnsOf(segments: readonly AsrSegment[]): readonly Turn[] {
  const turns: { speaker: string | undefined; segments: AsrSegment[] }[] = [];
  for (const segment of segments) {
    const last = turns.at(-1);
    if (last && last.speaker === segment.speaker) last.segments.push(segment);
    else turns.push({ speaker: segment.speaker, segments: [segment] });
  }
  return turns;
}

/** The text, with a paragraph for each turn where it has speakers. */
export function toSpokenText(text: string, segments: readonly AsrSegment[]): string {
  if (segments.every(({ speaker }) => speaker === undefined)) return text;
  return turnsOf(segments)
    .map(({ speaker, segments: spoken }) => {
      const words = spoken.map((segment) => segment.text).join(" ");
      return speaker === undefined ? words : `${speaker}: ${words}`;
    })
    .join("\n\n");
}
