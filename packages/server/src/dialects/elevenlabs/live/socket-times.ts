import type { TimestampFields } from "@parlance/protocol";
import { characterTimes } from "../character-times.ts";

/** Milliseconds from the start of the audio of the text that the characters belong to. */
export interface SocketTimes {
  readonly chars: readonly string[];
  readonly charStartTimesMs: readonly number[];
  readonly charDurationsMs: readonly number[];
}

/** Returns the times of the characters with the first audio of each piece of text, and null with the rest of it. */
export function createSocketTimes(): (fields: TimestampFields | undefined) => SocketTimes | null {
  let timed = -1;
  return (fields) => {
    if (fields?.alignment == null || fields.chunk_seq <= timed) return null;
    timed = fields.chunk_seq;
    const { segments, audio_duration: duration } = fields.alignment;
    const { characters, starts, ends } = characterTimes({ text: fields.content, segments, duration });
    const toMs = (seconds: number): number => Math.round(seconds * 1000);
    return {
      chars: characters,
      charStartTimesMs: starts.map(toMs),
      charDurationsMs: starts.map((start, index) => toMs(ends[index] ?? start) - toMs(start)),
    };
  };
}
