/** A stream of windows that a worker makes. */
export interface WindowStream {
  /** Windows that it may make now. */
  readonly credit: number;
  /** When the client will have played everything that was made, in milliseconds of the worker's clock. */
  readonly emptyAt: number;
  /** It has no audio yet: it can wait without a gap. */
  readonly isNew: boolean;
}

/** How a worker computes. */
export interface Pace {
  /** The worker's clock. */
  readonly now: number;
  /** How long the first window of a stream takes. */
  readonly startMs: number;
}

/** The time of any other window, as a share of the first one's: that one is the shortest, but its text has to be encoded, too. */
const NEXT_WINDOW = 0.75;
/** A stream that has waited for its first window this long goes before all others. */
const MAX_START_MS = 1_000;

/**
 * The stream whose window is made next: the one whose client runs out of audio first. A new request goes before all that are ahead
 * of their playback, so a long text never delays a short one by more than one window. Its first window lasts a quarter of a second
 * only: while many start, it would run dry before the others have theirs. So a stream that would do so during one more start
 * is served before that.
 */
export function nextStream<T extends WindowStream>(streams: Iterable<T>, { now, startMs }: Pace): T | undefined {
  let fresh: T | undefined;
  let started: T | undefined;
  for (const stream of streams) {
    if (stream.credit <= 0) continue;
    if (stream.isNew) fresh = earlier(stream, fresh);
    else started = earlier(stream, started);
  }
  if (!fresh || !started) return fresh ?? started;
  const isUrgent = started.emptyAt < now + startMs * (1 + NEXT_WINDOW);
  return isUrgent && now - fresh.emptyAt < MAX_START_MS ? started : fresh;
}

const earlier = <T extends WindowStream>(a: T, b: T | undefined): T => (b && b.emptyAt <= a.emptyAt ? b : a);
