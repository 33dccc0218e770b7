/** Adds up the shares of the work that are done, and reports the sum. What is reported never decreases. */
export interface Progress {
  readonly share: number;
  advance(by: number): void;
  /** Work has to be done again; the report stays at its maximum. */
  reset(share: number): void;
}

export function createProgress(onProgress: ((share: number) => void) | undefined): Progress {
  let share = 0;
  let reported = 0;
  return {
    get share() {
      return share;
    },
    advance(by) {
      share = Math.min(1, share + by);
      reported = Math.max(reported, share);
      onProgress?.(reported);
    },
    reset(to) {
      share = to;
    },
  };
}
