import type { RecordingResult } from "../../services/speech/transcription.ts";
import { encodeEvent } from "./events.ts";
import { toDiarizedSegment } from "./transcript-body.ts";
import { transcriptUsage } from "./usage.ts";

/** Pieces of text that wait to be sent; together never more than the transcript. */
export interface TextQueue {
  add(piece: string): void;
  /** The next piece. Waits for it until `ended`, then there is none. */
  next(ended: Promise<unknown>): Promise<string | undefined>;
}

export function createTextQueue(): TextQueue {
  const pieces: string[] = [];
  let wake = (): void => {};
  return {
    add(piece) {
      pieces.push(piece);
      wake();
    },
    async next(ended) {
      if (pieces.length === 0) {
        const added = new Promise<void>((resolve) => {
          wake = resolve;
        });
        await Promise.race([added, ended.catch(() => {})]);
      }
      return pieces.shift();
    },
  };
}

/** The events of a transcript that is being made: each further piece of text, then who has spoken what, then the whole. */
export async function* transcriptEvents(
  queue: TextQueue,
  result: Promise<RecordingResult>,
  diarized: boolean,
): AsyncGenerator<Uint8Array> {
  for (let delta = await queue.next(result); delta !== undefined; delta = await queue.next(result)) {
    yield encodeEvent({ type: "transcript.text.delta", delta });
  }
  const { text, duration, segments } = await result;
  if (diarized) for (const [index, segment] of segments.entries()) yield encodeEvent(toDiarizedSegment(segment, index));
  yield encodeEvent({ type: "transcript.text.done", text, usage: transcriptUsage(text, duration) });
}
