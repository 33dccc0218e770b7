import type { WordTiming } from "../engines/engine.ts";
import type { SpokenSegment } from "../speech.ts";
import type { SpeechChunk } from "../text/index.ts";

/**
 * Times of the words as written: "$3.50" is one segment, though it is spoken as five words. `trimmed` is the length, in
 * seconds, that was cut from the start of the audio, `duration` the length of the rest once it is known.
 */
export function writtenSegments(
  chunk: SpeechChunk,
  timings: readonly WordTiming[],
  trimmed: number,
  duration = Number.POSITIVE_INFINITY,
): SpokenSegment[] {
  const segments: { text: string; from: number; start: number; end: number }[] = [];
  for (const timing of timings) {
    const word = chunk.words[timing.word];
    if (!word) continue;
    const start = Math.min(duration, Math.max(0, timing.start - trimmed));
    const end = Math.min(duration, Math.max(start, timing.end - trimmed));
    const last = segments.at(-1);
    if (last?.from === word.from) last.end = end;
    else {
      const text = chunk.text.slice(word.from - chunk.from, word.to - chunk.from);
      segments.push({ text, from: word.from, start, end });
    }
  }
  return segments.map(({ text, start, end }) => ({ text, start, end }));
}
