import { dirname } from "node:path";
import {
  type ApiError,
  ASR_MODEL_ALIASES,
  type AsrRequest,
  type AsrResult,
  type AsrRules,
  apiError,
  DEFAULT_ASR_MODEL,
  LIMITS,
  roundTime,
} from "@parlance/protocol";
import { AudioError, recognizerDescriptor, type Span, SpeechError, type Transcription } from "@parlance/speech";
import { orAborted } from "../../lib/time-limit.ts";

export interface TranscriptionService {
  /** The values that a request may have now: engines appear when their models are fetched. Throws when there are none yet. */
  rules(): AsrRules;
  /** `onDecoded` is called with the duration in seconds before recognition starts. */
  transcribe(
    request: AsrRequest,
    path: string,
    signal: AbortSignal,
    onDecoded?: (seconds: number) => Promise<void>,
    trace?: Span,
  ): Promise<AsrResult>;
}

const LANGUAGE_NAMES = new Intl.DisplayNames(["en"], { type: "language" });

/** How long a recording may make no progress, including its time in the queue. */
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
        models: [DEFAULT_ASR_MODEL, ...engines, ...ASR_MODEL_ALIASES],
        languages: (engine) =>
          engine === undefined ? transcription.languages() : recognizerDescriptor(engine).languages,
      };
    },
    async transcribe({ engine, language, granularity, timestamps }, path, signal, onDecoded, trace) {
      try {
        const transcript = await unlessStalled(signal, stallMs, (watched, onProgress) =>
          transcription.transcribe(
            { path, workFolder: dirname(path), engine, language, granularity, onDecoded, onProgress, trace },
            watched,
          ),
        );
        const detected = transcript.language ?? null;
        return {
          text: transcript.text,
          duration: roundTime(transcript.duration),
          segments: timestamps ? transcript.segments.map(roundSegment) : [],
          language: detected === null ? null : (LANGUAGE_NAMES.of(detected) ?? detected),
          language_code: detected,
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

/** Aborts the work when it makes no progress, and does not wait for it to react. */
async function unlessStalled<Result>(
  signal: AbortSignal,
  milliseconds: number,
  work: (signal: AbortSignal, onProgress: () => void) => Promise<Result>,
): Promise<Result> {
  const stalled = new AbortController();
  const watched = AbortSignal.any([signal, stalled.signal]);
  watched.throwIfAborted();
  const timer = setTimeout(() => {
    stalled.abort(new SpeechError("overloaded", `no progress for ${milliseconds} ms`, 30));
  }, milliseconds);
  try {
    return await orAborted(
      work(watched, () => timer.refresh()),
      watched,
    );
  } finally {
    clearTimeout(timer);
  }
}

function refusalOf(error: AudioError): ApiError {
  const { min, max } = LIMITS.asrSeconds;
  // Rounded away from the limit: 1 s is not too short, and 3600 s are not too long.
  const lengthOf = (round: (value: number) => number): string =>
    error.seconds === undefined ? "it" : `${round(error.seconds * 1000) / 1000} s`;
  switch (error.code) {
    case "undecodable":
      return apiError("audio_undecodable", { reason: error.message }, { cause: error });
    case "no_audio":
      return apiError("audio_without_track", {}, { cause: error });
    case "too_short":
      return apiError("audio_too_short", { length: lengthOf(Math.floor), limit: min }, { cause: error });
    case "too_long":
      return apiError("audio_too_long", { length: lengthOf(Math.ceil), limit: max }, { cause: error });
    case "too_costly":
      return apiError("audio_too_costly", {}, { cause: error });
  }
}
