import type { TimestampFields } from "@parlance/protocol";

/** Which words of a text are in which part of its audio. */
export interface SpokenText {
  /** Adds what came with a piece of audio. */
  add(fields: TimestampFields | undefined): void;
  /** The part of the text whose words have begun before this time, in seconds of the audio. */
  upTo(text: string, seconds: number): string;
}

interface Chunk {
  readonly text: string;
  readonly offset: number;
  readonly words: readonly { readonly text: string; readonly start: number; readonly end: number }[];
}

export function createSpokenText(): SpokenText {
  const chunks = new Map<number, Chunk>();
  return {
    add(fields) {
      if (fields?.alignment == null) return;
      // A later alignment of a chunk replaces the earlier one.
      chunks.set(fields.chunk_seq, {
        text: fields.content,
        offset: fields.chunk_audio_offset_sec,
        words: fields.alignment.segments,
      });
    },
    upTo(text, seconds) {
      let from = 0;
      let end = 0;
      for (const chunk of chunks.values()) {
        if (chunk.offset >= seconds) break;
        const found = text.indexOf(chunk.text.trim(), from);
        if (found < 0) continue;
        let at = found;
        for (const word of chunk.words) {
          // A word counts as played when most of it was.
          if (chunk.offset + (word.start + word.end) / 2 > seconds) return text.slice(0, end);
          const position = text.indexOf(word.text, at);
          if (position < 0) continue;
          at = position + word.text.length;
          end = at;
        }
        // What follows the last word belongs to it: a full stop, a quotation mark.
        from = found + chunk.text.trim().length;
        end = from;
      }
      return text.slice(0, end);
    },
  };
}
