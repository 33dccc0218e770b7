import { type AudioFormatName, apiError, DEFAULT_MP3_BITRATE, FORMAT_RULES } from "@parlance/protocol";
import { createDecoder, type Decoder, encodeFile } from "@parlance/speech";
import { createSlotsByKey } from "../../lib/slots-by-key.ts";
import type { UploadFolder } from "../uploads/upload-folder.ts";

/** Audio that is kept, in another format. */
export interface AudioExports {
  /** Streamed: an hour of WAV would take too much memory. */
  convert(userId: string, bytes: Buffer, format: AudioFormatName, signal: AbortSignal): AsyncGenerator<Uint8Array>;
  close(): Promise<void>;
}

/** Conversions at a time. One ends when its client has read it, so each account has one of them only. */
const AT_ONCE = 4;
/** Conversions of an account that may wait. */
const MAX_WAITING = 30;

export function createAudioExports(uploads: Pick<UploadFolder, "create">): AudioExports {
  // Started with the first export: most servers never need it.
  let decoder: Decoder | undefined;
  const slots = createSlotsByKey({
    slots: 1,
    total: AT_ONCE,
    maxWaiting: MAX_WAITING,
    onFull: () => apiError("overloaded", {}, { retryAfterSeconds: 5 }),
  });
  return {
    async *convert(userId, bytes, format, signal) {
      const leave = await slots.enter(userId);
      const [source, scratch] = [await uploads.create(), await uploads.create()];
      try {
        signal.throwIfAborted();
        decoder ??= createDecoder({ processes: 1 });
        await source.write(bytes);
        await Promise.all([source.finish(), scratch.finish()]);
        const { defaultSampleRate: sampleRate } = FORMAT_RULES[format];
        const output = { format, sampleRate, mp3Bitrate: DEFAULT_MP3_BITRATE, opusBitrate: "auto" } as const;
        yield* encodeFile(decoder, { source: source.path, scratch: scratch.path }, output, signal);
      } finally {
        await Promise.all([source.remove(), scratch.remove()]);
        leave();
      }
    },
    async close() {
      await decoder?.close();
    },
  };
}
