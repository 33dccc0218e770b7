/** Audio that a client has appended and not committed, cleared or thrown away. */
export interface InputBuffer {
  add(bytes: number): void;
  /** Empties it. False: there is too little in it for a turn, and it stays. */
  take(): boolean;
}

/** The least that can be committed. */
export const MIN_COMMIT_MS = 100;

export function createInputBuffer(bytesPerSecond: () => number): InputBuffer {
  let bytes = 0;
  return {
    add(count) {
      bytes += count;
    },
    take() {
      if (bytes * 1000 < MIN_COMMIT_MS * bytesPerSecond()) return false;
      bytes = 0;
      return true;
    },
  };
}
