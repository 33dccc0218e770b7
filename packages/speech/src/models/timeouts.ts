/** How long the store waits. */
export interface StoreTimeouts {
  /** The connection is closed after this time without a byte. */
  readonly stallMs: number;
  /** Failed tries in a row, without any byte, before a source is given up. */
  readonly tries: number;
  /** The pause before the second try; doubled with each further one. */
  readonly backoffMs: number;
  /** How long to wait for another process that is pulling the same model. */
  readonly lockWaitMs: number;
  /** A lock that its owner has not renewed for this long is taken over. */
  readonly lockStaleMs: number;
}

export const defaultTimeouts: StoreTimeouts = {
  stallMs: 30_000,
  tries: 4,
  backoffMs: 500,
  lockWaitMs: 60 * 60_000,
  lockStaleMs: 60_000,
};
