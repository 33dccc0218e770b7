import type { TimestampFields } from "@parlance/protocol";
import type { SpeechPart } from "@parlance/speech";

/** Some clients drop very small frames; very large ones arrive late. */
export const MIN_FRAME_BYTES = 2 * 1024;
export const MAX_FRAME_BYTES = 32 * 1024;

export interface AudioFrame {
  readonly audio: Uint8Array;
  readonly fields: TimestampFields | undefined;
}

/** Joins and splits parts of any size into frames of a suitable size. */
export interface AudioFramer {
  /** The frames that are complete now. */
  push(part: SpeechPart): AudioFrame[];
  /** All buffered audio, however small. */
  flush(): AudioFrame[];
  readonly isEmpty: boolean;
  /** Whether the buffered audio is too small for a frame in the middle of a stream. */
  readonly isSmall: boolean;
}

/** With `describe`, frames carry timestamps and never span two text chunks; the last of a chunk may be short. */
export function createAudioFramer(describe?: (part: SpeechPart) => TimestampFields): AudioFramer {
  let parts: Uint8Array[] = [];
  let size = 0;
  let fields: TimestampFields | undefined;

  const flush = (): AudioFrame[] => {
    const pieces = evenPieces(parts.length === 1 ? (parts[0] ?? EMPTY) : Buffer.concat(parts, size));
    // An alignment is sent with the first of its frames only.
    const frames = pieces.map((audio, index) => ({
      audio,
      fields: fields === undefined || index === 0 ? fields : { ...fields, alignment: null },
    }));
    const hasAlignment = fields !== undefined && fields.alignment !== null;
    const out = frames.length === 0 && hasAlignment ? [{ audio: EMPTY, fields }] : frames;
    [parts, size, fields] = [[], 0, undefined];
    return out;
  };

  return {
    push(part) {
      const next = describe?.(part);
      const done = fields !== undefined && fields.chunk_seq !== next?.chunk_seq ? flush() : [];
      if (next !== undefined) fields = { ...next, alignment: next.alignment ?? fields?.alignment ?? null };
      if (part.bytes.length > 0) parts.push(part.bytes);
      size += part.bytes.length;
      return size >= MIN_FRAME_BYTES ? [...done, ...flush()] : done;
    },
    flush,
    get isSmall() {
      return size < MIN_FRAME_BYTES;
    },
    get isEmpty() {
      return size === 0 && (fields === undefined || fields.alignment === null);
    },
  };
}

const EMPTY = new Uint8Array(0);

/** Pieces of about the same size, none too big, all but the last of an even number of bytes. */
function evenPieces(bytes: Uint8Array): Uint8Array[] {
  const count = Math.ceil(bytes.length / MAX_FRAME_BYTES);
  const step = Math.ceil(bytes.length / Math.max(1, count) / 2) * 2;
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * step, (index + 1) * step));
}
