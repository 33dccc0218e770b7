/** A stream of windows that a worker makes. */
export interface WindowStream {
  /** Windows that it may make now. */
  readonly credit: number;
  /** When the client will have played everything that was made, in milliseconds of the worker's clock. */
  readonly emptyAt: number;
}

/**
 * The stream whose window is made next: the one whose client runs out of audio first. A new request has nothing to play and
 * goes before all that are ahead of their playback, so a long text never delays a short one by more than one window.
 */
export function nextStream<T extends WindowStream>(streams: Iterable<T>): T | undefined {
  let next: T | undefined;
  for (const stream of streams) {
    if (stream.credit > 0 && (next === undefined || stream.emptyAt < next.emptyAt)) next = stream;
  }
  return next;
}
