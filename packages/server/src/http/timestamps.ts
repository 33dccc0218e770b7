import type { Alignment, TimestampFields } from "@parlance/protocol";
import type { ChunkAlignment, SpeechPart } from "@parlance/speech";

/** Returns the timestamp fields of each part: its text and its offset in the audio. Parts are passed in order. */
export function createTimestamps(): (part: SpeechPart) => TimestampFields {
  let chunk = 0;
  let content = "";
  let offset = 0;
  let end = 0;
  return (part) => {
    if (part.chunk !== chunk) {
      // Until its own alignment gives the offset: after all earlier chunks.
      [chunk, content, offset] = [part.chunk, "", end];
    }
    if (part.alignment !== undefined) {
      ({ text: content, offset } = part.alignment);
      end = Math.max(end, offset + part.alignment.duration);
    }
    return {
      content,
      alignment: part.alignment === undefined ? null : toWire(part.alignment),
      chunk_seq: chunk,
      chunk_audio_offset_sec: toMilliseconds(offset),
    };
  };
}

/** Parts with bytes. An alignment without bytes is joined with the next bytes of its chunk, if there are more. */
export async function* alignedBytes(parts: AsyncIterable<SpeechPart>): AsyncGenerator<SpeechPart> {
  let waiting: SpeechPart | undefined;
  for await (const part of parts) {
    const alignment = part.alignment ?? (waiting?.chunk === part.chunk ? waiting.alignment : undefined);
    if (waiting !== undefined && waiting.chunk !== part.chunk) yield waiting;
    const aligned = alignment === undefined ? part : { ...part, alignment };
    waiting = part.bytes.length === 0 ? aligned : undefined;
    if (waiting === undefined) yield aligned;
  }
  if (waiting !== undefined) yield waiting;
}

function toWire({ segments, duration }: ChunkAlignment): Alignment {
  return {
    segments: segments.map(({ text, start, end }) => ({
      text,
      start: toMilliseconds(start),
      end: toMilliseconds(end),
    })),
    // The words of a chunk are known before all of its audio is made.
    audio_duration: toMilliseconds(Math.max(duration, segments.at(-1)?.end ?? 0)),
  };
}

/** Seconds, rounded to the millisecond. */
function toMilliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
