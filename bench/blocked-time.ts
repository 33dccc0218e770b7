import { readFileSync } from "node:fs";

const INTERVAL_MS = 5;

/**
 * The longest time that the main thread has computed between two turns of the event loop. It is CPU time, so that other
 * programs on the machine do not count.
 */
export function watchBlockedTime(): { readonly maxMs: number; reset(): void } {
  let before = threadCpuMs();
  let maxMs = 0;
  setInterval(() => {
    const now = threadCpuMs();
    maxMs = Math.max(maxMs, now - before);
    before = now;
  }, INTERVAL_MS).unref();
  return {
    get maxMs() {
      return maxMs;
    },
    reset() {
      before = threadCpuMs();
      maxMs = 0;
    },
  };
}

function threadCpuMs(): number {
  const [nanoseconds = "0"] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, "utf8").split(" ");
  return Number(nanoseconds) / 1e6;
}
