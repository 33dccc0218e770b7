/** How long the store waits for what. All of it is bounded. */
export interface Patience {
  /** No byte for this long: the connection is given up. */
  readonly stallMs: number;
  /** Tries in a row that bring nothing before a source is given up. */
  readonly tries: number;
  /** Pause before the second try; doubles with each further one. */
  readonly backoffMs: number;
  /** How long to wait for another process that is pulling the same model. */
  readonly lockWaitMs: number;
  /** A lock whose owner has given no sign of life for this long is taken over. */
  readonly lockStaleMs: number;
}

export const defaultPatience: Patience = {
  stallMs: 30_000,
  tries: 4,
  backoffMs: 500,
  lockWaitMs: 60 * 60_000,
  lockStaleMs: 60_000,
};
