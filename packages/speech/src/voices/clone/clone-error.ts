/** A recording cannot be used to make a voice. The message is for the person who sent it, and says what to do. */
export class CloneError extends Error {
  /** Which one, from 0. */
  readonly recording: number;

  constructor(recording: number, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "CloneError";
    this.recording = recording;
  }
}
