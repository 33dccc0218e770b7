import { dirname } from "node:path";
import {
  type ApiError,
  type AsrRequest,
  type AsrResult,
  type AsrRules,
  apiError,
  DEFAULT_ASR_MODEL,
  LIMITS,
  roundTime,
} from "@parlance/protocol";
import { AudioError, type Span, SpeechError, type Transcription } from "@parlance/speech";

export interface TranscriptionService {
  /** What a request may ask for now: engines appear when their models are there. Throws when there are none yet. */
  rules(): AsrRules;
  /** `onDecoded` is told how many seconds there are before they are listened to. */
  transcribe(
    request: AsrRequest,
    path: string,
    signal: AbortSignal,
    onDecoded?: (seconds: number) => Promise<void>,
    trace?: Span,
  ): Promise<AsrResult>;
}

/** How long a recording may make no progress at all, the wait for its turn included. */
const STALL_MS = 600_000;

export function createTranscriptionService(transcription: Transcription, stallMs = STALL_MS): TranscriptionService {
  return {
    rules() {
      const engines = transcription.engines();
      if (engines.length === 0) {
        const missing = "the models that listen are still being fetched";
        throw apiError("not_ready", { missing }, { retryAfterSeconds: 10 });
      }
      return {
        models: [DEFAULT_ASR_MODEL, ...engines],
        languages: (engine) => (engine === "moonshine" ? ["en"] : transcription.languages()),
      };
    },
    async transcribe({ engine, language, granularity, timestamps }, path, signal, onDecoded, trace) {
      try {
        const heard = await unlessStalled(signal, stallMs, (watched, onProgress) =>
          transcription.transcribe(
            { path, workFolder: dirname(path), engine, language, granularity, onDecoded, onProgress, trace },
            watched,
          ),
        );
        const said = heard.language ?? null;
        return {
          text: heard.text,
          duration: roundTime(heard.duration),
          segments: timestamps ? heard.segments.map(roundSegment) : [],
          language: said,
          language_code: said,
        };
      } catch (error) {
        if (signal.aborted) throw new SpeechError("closed", "the transcription was stopped", undefined, error);
        throw error instanceof AudioError ? refusalOf(error) : error;
      }
    },
  };
}

function roundSegment({ text, start, end }: { readonly text: string; readonly start: number; readonly end: number }) {
  return { text, start: roundTime(start), end: roundTime(end) };
}

/** Ends the work when it comes no further, and does not wait for it to notice. */
async function unlessStalled<Result>(
  signal: AbortSignal,
  milliseconds: number,
  work: (signal: AbortSignal, onProgress: () => void) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const stop = (): void => controller.abort(signal.reason);
  const timer = setTimeout(() => {
    controller.abort(new SpeechError("overloaded", `no progress for ${milliseconds} ms`, 30));
  }, milliseconds);
  const stopped = new Promise<never>((_resolve, reject) => {
    controller.signal.addEventListener("abort", () => reject(controller.signal.reason), { once: true });
  });
  stopped.catch(() => {});
  signal.addEventListener("abort", stop, { once: true });
  try {
    if (signal.aborted) stop();
    controller.signal.throwIfAborted();
    return await Promise.race([work(controller.signal, () => timer.refresh()), stopped]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

function refusalOf(error: AudioError): ApiError {
  const { min, max } = LIMITS.asrSeconds;
  // To the side on which it is wrong: 1 s is not too short, and 3600 s are not too long.
  const told = (round: (value: number) => number): string =>
    error.seconds === undefined ? "it" : `${round(error.seconds * 1000) / 1000} s`;
  switch (error.code) {
    case "undecodable":
      return apiError("audio_undecodable", { reason: error.message }, { cause: error });
    case "no_audio":
      return apiError("audio_without_track", {}, { cause: error });
    case "too_short":
      return apiError("audio_too_short", { length: told(Math.floor), limit: min }, { cause: error });
    case "too_long":
      return apiError("audio_too_long", { length: told(Math.ceil), limit: max }, { cause: error });
    case "too_costly":
      return apiError("audio_too_costly", {}, { cause: error });
  }
}
