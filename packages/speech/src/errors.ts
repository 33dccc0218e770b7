/**
 * - `overloaded`: the queue is full; retry later
 * - `not_ready`: something that is needed for it is missing, as the message says; retry later
 * - `failed`: an engine cannot be loaded, or a worker was lost after audio had been sent
 * - `closed`: the service is shutting down
 */
export type SpeechErrorCode = "overloaded" | "not_ready" | "failed" | "closed";

/** Synthesis, recognition or cloning cannot be done now. */
export class SpeechError extends Error {
  readonly code: SpeechErrorCode;
  /** With `overloaded` and `not_ready`: when a retry is likely to be accepted. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: SpeechErrorCode, message: string, retryAfterSeconds?: number, cause?: unknown) {
    super(message, { cause });
    this.name = "SpeechError";
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * Worker machines were lost with a job, one after the other. Nothing was heard of it, so a client may simply come back; where
 * nobody decides on that, the job may be what they were lost by.
 */
export class MachinesLostError extends SpeechError {
  constructor(message: string) {
    super("overloaded", message, 5);
    this.name = "MachinesLostError";
  }
}

/**
 * - `undecodable`: not audio, or damaged
 * - `no_audio`: a container without an audio track
 * - `too_short`, `too_long`: outside the limits that the decoder was given
 * - `too_costly`: decoding took more time or memory than any valid file needs
 */
export type AudioErrorCode = "undecodable" | "no_audio" | "too_short" | "too_long" | "too_costly";

/** A recording cannot be used. The message is meant for the client that sent it. */
export class AudioError extends Error {
  readonly code: AudioErrorCode;
  /** With `too_short` and `too_long`: the length of the recording, as far as it was read. */
  readonly seconds: number | undefined;

  constructor(code: AudioErrorCode, message: string, seconds?: number, cause?: unknown) {
    super(message, { cause });
    this.name = "AudioError";
    this.code = code;
    this.seconds = seconds;
  }
}
