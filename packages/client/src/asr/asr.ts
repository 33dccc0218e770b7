import { ApiError, type AsrResult, anyAsrResult, apiError, LIMITS } from "@parlance/protocol";
import type { Connection } from "../http/connection.ts";
import { withRetries } from "../http/retry.ts";
import { createListen } from "../listen/listen.ts";
import { canDecodeInBrowser, decodeInBrowser } from "./browser-decode.ts";
import { toByteSource } from "./byte-source.ts";
import { PART_SECONDS, transcribeInParts } from "./in-parts.ts";
import type { Asr, ByteSource, LongOptions, Pcm, TranscribeOptions, Transcript } from "./types.ts";
import { openWav } from "./wav-reader.ts";

/** The response only begins when the whole recording is transcribed. */
const TIMEOUT_MS = 15 * 60_000;

/** A file of this size is sent as it is: in any format it is too short to be split. */
const MAX_UNSPLIT_BYTES = 512 * 1024;

export function createAsr(connection: Connection, socket?: typeof WebSocket): Asr {
  async function send(audio: Blob, options: TranscribeOptions): Promise<AsrResult> {
    if (audio.size > LIMITS.asrFileBytes) throw apiError("audio_too_large", { limit: LIMITS.asrFileBytes });
    const form = new FormData();
    // Options first: a server that checks them early can refuse early.
    if (options.language !== undefined) form.append("language", options.language);
    if (options.granularity !== undefined) form.append("granularity", options.granularity);
    if (options.speakers !== undefined) form.append("speakers", String(options.speakers));
    for (const voice of options.knownSpeakers ?? []) form.append("known_speakers", voice);
    if (options.ignoreTimestamps === true) form.append("ignore_timestamps", "true");
    form.append("audio", audio, "audio");
    const headers: Record<string, string> = options.model === undefined ? {} : { model: options.model };
    const call = { ...options, timeoutMs: Math.max(connection.timeoutMs, TIMEOUT_MS) };
    return connection.json("POST", "/v1/asr", anyAsrResult, call, form, headers);
  }

  const whole = async (file: ByteSource): Promise<Blob> => {
    if (file.size > LIMITS.asrFileBytes) throw apiError("audio_too_large", { limit: LIMITS.asrFileBytes });
    return new Blob([await file.read(0, file.size)]);
  };

  async function inParts(pcm: Pcm, options: LongOptions): Promise<Transcript> {
    return transcribeInParts(
      pcm,
      (wav, signal) => withRetries(() => send(new Blob([wav]), { ...options, signal }), { ...options, signal }),
      typeof options.speakers === "number" ? { speakerCount: options.speakers, ...options } : options,
    );
  }

  return {
    live: createListen(connection, socket),
    async transcribe(file, options = {}) {
      return transcriptOf(await send(await whole(await toByteSource(file)), options));
    },
    async long(file, options = {}) {
      const { signal } = options;
      // A voice is identified more reliably in more speech.
      const tellsSpeakers = (options.speakers ?? false) !== false || (options.knownSpeakers ?? []).length > 0;
      const partSeconds = options.partSeconds ?? (tellsSpeakers ? PART_SECONDS.max : PART_SECONDS.default);
      const source = await toByteSource(file);
      signal?.throwIfAborted();
      const fits = source.size <= LIMITS.asrFileBytes;
      const unsplit = async (): Promise<Transcript> => {
        const blob = await whole(source);
        return transcriptOf(await withRetries(() => send(blob, options), options));
      };
      if (source.size <= MAX_UNSPLIT_BYTES) return unsplit();
      const pcm = (await openWav(source)) ?? (await options.decode?.(source, signal));
      if (pcm !== undefined) {
        const short = pcm.seconds !== undefined && pcm.seconds <= partSeconds;
        return short && fits ? unsplit() : inParts(pcm, { ...options, partSeconds });
      }
      if (!canDecodeInBrowser()) {
        if (fits) return unsplit();
        throw new Error("the recording is too large to be sent at once, and only WAV can be split here: give `decode`");
      }
      // A browser decodes the whole file into memory, so this is the last resort.
      if (fits) {
        try {
          return await unsplit();
        } catch (error) {
          if (!(error instanceof ApiError && error.code === "audio_too_long")) throw error;
        }
      }
      return inParts(await decodeInBrowser(source), { ...options, partSeconds });
    },
  };
}

function transcriptOf({ text, duration, segments, language, language_code, speakers }: AsrResult): Transcript {
  const transcript = { text, duration, segments, language: language_code ?? language };
  return speakers === undefined ? transcript : { ...transcript, speakers };
}
