/** Decides how often growing audio is decoded: as often as the stream's share of a worker allows. */
export interface Pace {
  /** Whether audio up to this time may be decoded now. */
  isDue(seconds: number): boolean;
  /** A decoding up to this time begins. Returns what `finished` needs. */
  begin(seconds: number): DecodingStart;
  /** A worker computed for the stream. */
  used(milliseconds: number): void;
  /** Only this part of the work delays the next decoding. */
  finished(start: DecodingStart, part?: number): void;
  /** The next speech is new. */
  reset(): void;
}

export interface DecodingStart {
  readonly at: number;
  readonly usedMs: number;
}

/** More often would show the same words again. */
const MIN_INTERVAL_MS = 400;
/** Audio that has to be new. */
const MIN_NEW_SECONDS = 0.3;

export function createPace(share: () => number, now = () => performance.now()): Pace {
  let usedMs = 0;
  let dueAt = 0;
  let decodedTo = Number.NEGATIVE_INFINITY;
  return {
    isDue: (seconds) => now() >= dueAt && seconds - decodedTo >= MIN_NEW_SECONDS,
    begin(seconds) {
      decodedTo = seconds;
      return { at: now(), usedMs };
    },
    used(milliseconds) {
      usedMs += milliseconds;
    },
    finished({ at, usedMs: before }, part = 1) {
      dueAt = at + Math.max(MIN_INTERVAL_MS, (part * (usedMs - before)) / Math.max(0.01, share()));
    },
    reset() {
      decodedTo = Number.NEGATIVE_INFINITY;
    },
  };
}
