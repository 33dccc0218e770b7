/** A recording cannot be used for cloning. The message is meant for the client that sent it, and says what to do. */
export class CloneError extends Error {
  /** Index of the recording. */
  readonly recording: number;

  constructor(recording: number, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "CloneError";
    this.recording = recording;
  }
}
