import { AudioError, type AudioErrorCode, SpeechError, type SpeechErrorCode } from "../../errors.ts";
import { errorMessage } from "../../lib/errors.ts";

/** An error of a job, as it is sent. */
export interface WireError {
  readonly type: "speech" | "audio" | "other";
  readonly code: string;
  readonly message: string;
  /** Of a speech error: when to retry. Of an audio error: the length of the recording. */
  readonly seconds: number | undefined;
}

const SPEECH_CODES: readonly SpeechErrorCode[] = ["overloaded", "not_ready", "failed", "closed"];
const AUDIO_CODES: readonly AudioErrorCode[] = ["undecodable", "no_audio", "too_short", "too_long", "too_costly"];

export function toWireError(error: unknown): WireError {
  if (error instanceof AudioError)
    return { type: "audio", code: error.code, message: error.message, seconds: error.seconds };
  if (error instanceof SpeechError)
    return { type: "speech", code: error.code, message: error.message, seconds: error.retryAfterSeconds };
  return { type: "other", code: "failed", message: errorMessage(error), seconds: undefined };
}

export function fromWireError({ type, code, message, seconds }: WireError): Error {
  const audio = AUDIO_CODES.find((each) => each === code);
  if (type === "audio" && audio) return new AudioError(audio, message, seconds);
  const speech = SPEECH_CODES.find((each) => each === code);
  return new SpeechError(speech ?? "failed", message, seconds);
}
