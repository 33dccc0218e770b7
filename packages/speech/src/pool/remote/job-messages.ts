import type { WorkTime } from "../messages.ts";

/** The body of a `start` frame. */
export interface JobStart {
  /** The kind of work: `speech.kokoro`, `recognition`. */
  readonly kind: string;
  readonly job: unknown;
  /** Parts that may be sent before the first `credit`. */
  readonly credit: number;
  /** The machine takes it even if it is busy: its stream was accepted earlier. */
  readonly force: boolean;
  /** Whether `input` frames follow. */
  readonly hasInput: boolean;
}

/** The body of an `end` frame. */
export interface JobEnd {
  readonly work: WorkTime | undefined;
  readonly busyMs: number;
  readonly pid: number | undefined;
}
