import { setTimeout as sleep } from "node:timers/promises";
import type { SpeechWindow } from "../engines/engine.ts";
import { monotonicTime } from "../lib/tracing.ts";
import { createJobClock, type JobReport } from "../pool/job-report.ts";
import type { Pool } from "../pool/pool.ts";

export interface TonePoolOptions {
  /** Worker processes that are simulated. */
  readonly workers?: number;
  /** Seconds that a worker is occupied by a second of audio. No processor time is used for it. */
  readonly cost?: number;
  /** Samples per second. */
  readonly rate?: number;
  /** Awaited before each window of a job. */
  readonly before?: (window: number, signal: AbortSignal) => Promise<void> | void;
}

const TONE_RATE = 22_050;
const SECONDS_PER_CHARACTER = 0.066;
const WINDOW_SECONDS = 0.4;

/**
 * A pool whose workers make tones. Like real ones they make a window at a time, and serve the stream that runs out of audio
 * first. It needs no models, so one process can be many machines. It says nothing about speech.
 */
export function createTonePool(options: TonePoolOptions = {}): Pool {
  const { workers = 1, cost = 0.1, rate = TONE_RATE, before = () => {} } = options;
  const waiting = new Set<{ readonly emptyAt: number; start(): void }>();
  let busy = 0;
  let queued = 0;

  async function occupy(emptyAt: number, seconds: number): Promise<void> {
    if (busy >= workers) await new Promise<void>((resolve) => waiting.add({ emptyAt, start: resolve }));
    else busy++;
    await sleep(seconds * 1000);
    const next = [...waiting].sort((a, b) => a.emptyAt - b.emptyAt)[0];
    if (!next) {
      busy--;
      return;
    }
    // It takes over the worker.
    waiting.delete(next);
    next.start();
  }

  return {
    ready: Promise.resolve(rate),
    async *synthesize({ chunk, ahead, options: { speed } }, signal, onEnd) {
      const clock = createJobClock();
      const total = Math.max(0.1, (chunk.text.length * SECONDS_PER_CHARACTER) / speed);
      const startedAt = performance.now() / 1000;
      let outcome: JobReport["outcome"] = "left";
      let made = 0;
      queued++;
      try {
        for (let window = 0; made < total - 1e-9; window++) {
          await before(window, signal);
          const seconds = Math.min(WINDOW_SECONDS, total - made);
          await occupy(startedAt + ahead + made, seconds * cost);
          signal.throwIfAborted();
          const to = monotonicTime();
          clock.add({ from: to - seconds * cost * 1000, to });
          if (made === 0) queued--;
          const samples = tone(Math.round(made * rate), Math.round((made + seconds) * rate), rate);
          made += seconds;
          yield (window === 0 ? { samples, timings: timings(chunk.words.length, total) } : { samples }) as SpeechWindow;
        }
        outcome = "done";
      } finally {
        if (made === 0) queued--;
        onEnd?.(clock.report({ pid: process.pid, tries: 1, outcome }));
      }
    },
    pids: () => new Array<number>(workers).fill(process.pid),
    queued: () => queued,
    close: async () => {},
  };
}

/** The same samples for the same place in a chunk, so that a stream can be compared with another one. */
function tone(from: number, to: number, rate: number): Float32Array {
  return Float32Array.from(
    { length: to - from },
    (_, index) => 0.3 * Math.sin(((from + index) * 2 * Math.PI * 440) / rate),
  );
}

function timings(words: number, total: number) {
  return Array.from({ length: words }, (_, word) => ({
    word,
    start: (word * total) / words,
    end: ((word + 1) * total) / words,
  }));
}
