import { monitorEventLoopDelay } from "node:perf_hooks";

export interface LoopDelay {
  /** The delays since the last call. */
  take(): { readonly p50: number; readonly p99: number; readonly max: number };
  close(): void;
}

const RESOLUTION_MS = 20;

/** Measures the delay of the event loop, in seconds. */
export function createLoopDelay(): LoopDelay {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  // The histogram holds intervals between two timer runs, which equal the resolution when nothing is late.
  const seconds = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS) / 1000;
  return {
    take() {
      const taken =
        delay.count === 0
          ? { p50: 0, p99: 0, max: 0 }
          : { p50: seconds(delay.percentile(50)), p99: seconds(delay.percentile(99)), max: seconds(delay.max) };
      delay.reset();
      return taken;
    },
    close: () => void delay.disable(),
  };
}
