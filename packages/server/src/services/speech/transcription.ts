import { dirname } from "node:path";
import {
  type ApiError,
  ASR_MODEL_ALIASES,
  type AsrRequest,
  type AsrResult,
  type AsrRules,
  type AsrSegment,
  type AsrSpeakers,
  apiError,
  DEFAULT_ASR_MODEL,
  describeValue,
  LIMITS,
  type ListenRequest,
  roundTime,
  speakerLabels,
  toAsrSpeakers,
} from "@parlance/protocol";
import {
  AudioError,
  type KnownSpeaker,
  KnownSpeakerError,
  type Listening,
  REFERENCE_SECONDS,
  recognizerDescriptor,
  type Span,
  SpeechError,
  type Transcription,
  type TranscriptionRequest,
  type TranscriptSegment,
} from "@parlance/speech";
import { languageName } from "../../lib/language-name.ts";
import { orAborted } from "../../lib/time-limit.ts";
import type { Pronunciations } from "./pronunciations.ts";

/** A request for a transcript, with what only some dialects ask for. */
export interface RecordingRequest
  extends Omit<AsrRequest, "speakers">,
    Pick<TranscriptionRequest, "owner" | "wordTimes" | "task" | "minSeconds" | "onText" | "hints" | "preferHints"> {
  readonly speakers?: RecordingSpeakers;
}

export interface RecordingSpeakers extends AsrSpeakers {
  /** People whose voices are known: the voices of the request, or recordings that came with it. */
  readonly known?: readonly KnownSpeaker[];
}

export interface RecordingResult extends AsrResult {
  /** Where `wordTimes` was requested. */
  readonly words?: readonly AsrSegment[];
}

export interface TranscriptionService {
  /** Recognizes audio while it is spoken. */
  listen(request: ListenRequest, signal: AbortSignal, trace: Span): Promise<Listening>;
  /** The values that a request may have now: engines appear when their models are fetched. Throws when there are none yet. */
  rules(): AsrRules;
  /** Whether a recording can be translated into English now. */
  canTranslate(): boolean;
  /** The request with the words of the account's pronunciations as keywords, for recognizers that use them. */
  withWordsOf(userId: string, request: RecordingRequest): Promise<RecordingRequest>;
  /** The request with the voices of the account that may speak. Throws while speaker diarization is not available. */
  withSpeakersOf(userId: string, request: RecordingRequest): Promise<RecordingRequest>;
  /** `onDecoded` is called with the duration in seconds before recognition starts. */
  transcribe(
    request: RecordingRequest,
    path: string,
    signal: AbortSignal,
    onDecoded?: (seconds: number) => Promise<void>,
    trace?: Span,
  ): Promise<RecordingResult>;
}

/** A recording has made no progress. */
export class StallError extends SpeechError {
  constructor(milliseconds: number) {
    super("overloaded", `no progress for ${milliseconds} ms`, 30);
    this.name = "StallError";
  }
}

/** How long a recording may make no progress, including its time in the queue. */
const STALL_MS = 600_000;

/** The voices of an account, as speakers. Throws the 400 for one that is not there. */
export type FindKnownSpeakers = (userId: string, voiceIds: readonly string[]) => Promise<readonly KnownSpeaker[]>;

export function createTranscriptionService(
  transcription: Transcription,
  pronunciations: Pick<Pronunciations, "of">,
  knownSpeakers: FindKnownSpeakers,
  { stallMs = STALL_MS, acceptsUnknownModels = false } = {},
): TranscriptionService {
  return {
    rules() {
      const engines = transcription.engines();
      if (engines.length === 0) {
        const missing = "the models that listen are still being fetched";
        throw apiError("not_ready", { missing }, { retryAfterSeconds: 10 });
      }
      return {
        models: [DEFAULT_ASR_MODEL, ...engines, ...ASR_MODEL_ALIASES],
        acceptsUnknownModels,
        languages: (engine) =>
          engine === undefined ? transcription.languages() : recognizerDescriptor(engine).languages,
      };
    },
    listen({ format, sampleRate, ...request }, signal, trace) {
      const encoding = { pcm: "pcm_s16le", ulaw: "mulaw", alaw: "alaw", opus: "opus" } as const;
      return transcription.listen({ ...request, format: { encoding: encoding[format], sampleRate }, trace }, signal);
    },
    canTranslate: () => transcription.translators().length > 0,
    async withSpeakersOf(userId, { speakers, ...request }) {
      if (speakers === undefined) return request;
      if (!transcription.tellsSpeakers()) {
        const missing = "the model for speaker diarization is still being fetched";
        throw apiError("not_ready", { missing }, { retryAfterSeconds: 20 });
      }
      const known = [...(speakers.known ?? []), ...(await knownSpeakers(userId, speakers.voices))];
      return { ...request, speakers: { ...speakers, known } };
    },
    async withWordsOf(userId, request) {
      const words = Object.keys(await pronunciations.of(userId));
      if (words.length === 0) return request;
      return { ...request, hints: { ...request.hints, keywords: [...(request.hints?.keywords ?? []), ...words] } };
    },
    async transcribe({ timestamps, ...request }, path, signal, onDecoded, trace) {
      try {
        const transcript = await unlessStalled(signal, stallMs, (watched, onProgress) =>
          transcription.transcribe(
            { ...request, path, workFolder: dirname(path), onDecoded, onProgress, trace },
            watched,
          ),
        );
        const detected = transcript.language ?? null;
        const labels = speakerLabels(transcript.speakers ?? []);
        const toSegment = roundSegment(labels);
        return {
          text: transcript.text,
          duration: roundTime(transcript.duration),
          segments: timestamps ? transcript.segments.map(toSegment) : [],
          language: detected === null ? null : languageName(detected),
          language_code: detected,
          ...(transcript.words === undefined ? {} : { words: transcript.words.map(toSegment) }),
          ...(transcript.speakers === undefined ? {} : { speakers: toAsrSpeakers(transcript.speakers, labels) }),
        };
      } catch (error) {
        if (signal.aborted) throw new SpeechError("closed", "the transcription was stopped", undefined, error);
        if (error instanceof KnownSpeakerError) throw unusableReference(error);
        throw error instanceof AudioError ? refusalOf(error, request.minSeconds) : error;
      }
    },
  };
}

function roundSegment(labels: readonly string[]): (segment: TranscriptSegment) => AsrSegment {
  return ({ text, start, end, language, speaker }) => ({
    text,
    start: roundTime(start),
    end: roundTime(end),
    ...(language === undefined ? {} : { language_code: language }),
    ...(speaker === undefined ? {} : { speaker: labels[speaker] }),
  });
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
    stalled.abort(new StallError(milliseconds));
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

function unusableReference(error: KnownSpeakerError): ApiError {
  const { min, max } = REFERENCE_SECONDS;
  const allowed = `it has to be a recording of ${min} to ${max} s that can be decoded: ${error.message}`;
  return apiError(
    "invalid_value",
    { field: "known speaker", value: describeValue(error.speaker), allowed },
    { cause: error },
  );
}

function refusalOf(error: AudioError, min: number = LIMITS.asrSeconds.min): ApiError {
  const { max } = LIMITS.asrSeconds;
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
