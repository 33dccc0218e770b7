import { HISTORY_LIMITS, type HistoryWord, type TtsRequest } from "@parlance/protocol";
import { type ArchiveEncoder, createArchiveEncoder, type SpeechPart } from "@parlance/speech";

/** Collects speech while it is made. Its errors never reach the request. */
export interface SpeechRecording {
  readonly id: string;
  add(part: SpeechPart): void;
  /** Stores what was made. A second call does nothing. `complete`: the text was spoken to its end. */
  finish(complete: boolean): Promise<void>;
}

export interface RecordedSpeech {
  readonly words: readonly HistoryWord[];
  readonly seconds: number;
  /** Undefined when it is too large, or of a format that cannot be decoded without its settings. */
  readonly audio: { readonly type: string; readonly bytes: Buffer } | undefined;
}

const WAV_HEADER_BYTES = 44;
/** Compressed files are kept as they are sent. */
const KEPT_TYPES: Readonly<Record<string, string>> = {
  mp3: "audio/mpeg",
  opus: "audio/ogg",
  aac: "audio/aac",
  flac: "audio/flac",
};

export function createSpeechRecording(
  id: string,
  { format, sampleRate }: Pick<TtsRequest, "format" | "sampleRate">,
  save: (speech: RecordedSpeech, complete: boolean) => Promise<void>,
  onFault: (error: unknown) => void,
): SpeechRecording {
  const chunks = new Map<number, NonNullable<SpeechPart["alignment"]>>();
  const raw = format === "pcm" || format === "wav";
  const type = raw ? "audio/ogg" : KEPT_TYPES[format];
  let encoder: ArchiveEncoder | undefined = raw ? createArchiveEncoder(sampleRate) : undefined;
  const pieces: Uint8Array[] = [];
  let size = 0;
  let skip = format === "wav" ? WAV_HEADER_BYTES : 0;
  let isKept = type !== undefined;
  let finished = false;
  /** The encoder takes one piece at a time. */
  let encoding = Promise.resolve();

  const drop = (): void => {
    isKept = false;
    pieces.length = 0;
    encoder?.close();
    encoder = undefined;
  };
  const keep = (bytes: Uint8Array): void => {
    size += bytes.length;
    if (size > HISTORY_LIMITS.audioBytes) drop();
    else if (isKept && bytes.length > 0) pieces.push(bytes);
  };
  const encode = (work: (encoder: ArchiveEncoder) => Promise<Uint8Array>): void => {
    encoding = encoding
      .then(async () => {
        if (encoder !== undefined) keep(await work(encoder));
      })
      .catch((error: unknown) => {
        drop();
        onFault(error);
      });
  };
  return {
    id,
    add({ chunk, alignment, bytes }) {
      if (finished) return;
      if (alignment !== undefined) chunks.set(chunk, alignment);
      if (!isKept || bytes.length === 0) return;
      if (!raw) {
        keep(Uint8Array.from(bytes));
        return;
      }
      const samples = Uint8Array.from(bytes.subarray(Math.min(skip, bytes.length)));
      skip = Math.max(0, skip - bytes.length);
      encode((current) => current.push(samples));
    },
    async finish(complete) {
      if (finished) return;
      finished = true;
      encode((current) => current.finish());
      await encoding;
      encoder?.close();
      const aligned = [...chunks.values()];
      if (aligned.length === 0) return;
      const seconds = Math.max(...aligned.map(({ offset, duration }) => offset + duration));
      const audio = isKept && type !== undefined ? { type, bytes: Buffer.concat(pieces) } : undefined;
      await save({ words: aligned.flatMap(wordsOf), seconds, audio }, complete).catch(onFault);
    },
  };
}

function wordsOf({ offset, segments }: NonNullable<SpeechPart["alignment"]>): HistoryWord[] {
  const at = (seconds: number): number => Math.round((offset + seconds) * 1000) / 1000;
  return segments.map(({ text, start, end }) => ({ text, start: at(start), end: at(end) }));
}
