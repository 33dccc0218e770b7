/** A stream of windows that a worker is making. */
export interface Turn {
  /** Windows that it may make now. */
  readonly credit: number;
  /** When its listener will have played all that was made, in milliseconds of the worker's clock. */
  readonly runsDry: number;
}

/**
 * Whose window comes next: the stream whose listener runs dry first. A new request has nothing to play and goes before
 * all that are ahead of their playback, so a long text never holds a short one up by more than the window in hand.
 */
export function nextTurn<T extends Turn>(turns: Iterable<T>): T | undefined {
  let next: T | undefined;
  for (const turn of turns) {
    if (turn.credit > 0 && (next === undefined || turn.runsDry < next.runsDry)) next = turn;
  }
  return next;
}
