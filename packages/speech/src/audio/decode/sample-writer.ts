import { closeSync, openSync, writeSync } from "node:fs";

/** Collects small pieces into few large writes. */
export interface SampleWriter {
  /** Copies the bytes. */
  write(bytes: Buffer): void;
  /** Writes the rest, and returns the number of 16-bit samples in the file. */
  end(): number;
  close(): void;
}

const BUFFER_BYTES = 256 * 1024;

export function createSampleWriter(path: string): SampleWriter {
  const file = openSync(path, "w");
  const buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  let filled = 0;
  let total = 0;
  let open = true;

  function flush(): void {
    for (let at = 0; at < filled; ) at += writeSync(file, buffer, at, filled - at);
    filled = 0;
  }

  return {
    write(bytes) {
      total += bytes.length;
      for (let at = 0; at < bytes.length; ) {
        const copied = bytes.copy(buffer, filled, at);
        filled += copied;
        at += copied;
        if (filled === BUFFER_BYTES) flush();
      }
    },
    end() {
      flush();
      return total / 2;
    },
    close() {
      if (open) closeSync(file);
      open = false;
    },
  };
}
