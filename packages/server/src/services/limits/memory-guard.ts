import { availableMemory } from "../../lib/available-memory.ts";

/** Whether there is memory for another request. */
export type HasMemory = () => boolean;

export interface MemoryGuardOptions {
  /** Below this, requests are refused. 0: never. */
  readonly minFreeBytes: number;
  readonly available?: () => number | undefined;
  readonly now?: () => number;
}

/** How long one reading is used. Reading takes about 0.1 ms. */
const READ_EVERY_MS = 200;

/** A refused request can be sent again; a process that the kernel ends takes every running request with it. */
export function createMemoryGuard({
  minFreeBytes,
  available = availableMemory,
  now = () => performance.now(),
}: MemoryGuardOptions): HasMemory {
  let readAt = Number.NEGATIVE_INFINITY;
  let hasMemory = true;
  return () => {
    if (minFreeBytes > 0 && now() - readAt >= READ_EVERY_MS) {
      readAt = now();
      hasMemory = (available() ?? Number.POSITIVE_INFINITY) >= minFreeBytes;
    }
    return hasMemory;
  };
}
