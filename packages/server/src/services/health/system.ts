import { availableParallelism, freemem, totalmem } from "node:os";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { SystemReport } from "@parlance/protocol";
import { engineNames, recognizerNames, type Speech, type Transcription } from "@parlance/speech";
import { isoTime } from "../../lib/time.ts";
import { residentBytes } from "../../telemetry/resident-bytes.ts";

export interface System {
  report(): Promise<SystemReport>;
  close(): void;
}

export interface SystemParts {
  readonly speech: Speech;
  readonly transcription: Transcription;
  readonly version: string;
  readonly database: SystemReport["database"];
  readonly settings: SystemReport["settings"];
  readonly activeRequests: { readonly size: number; readonly draining: boolean };
}

/** The state of this process and its workers, for the admin page. */
export function createSystem({ speech, transcription, activeRequests, ...fixed }: SystemParts): System {
  const startedAt = isoTime(Date.now());
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  return {
    async report() {
      const workers = speech.workers();
      const sizes = await Promise.all(workers.map(({ pid }) => residentBytes(pid)));
      const listening = transcription.engines();
      return {
        ...fixed,
        runtime: `Node ${process.versions.node} on ${process.platform} ${process.arch}`,
        started_at: startedAt,
        cores: availableParallelism(),
        memory: {
          server_bytes: process.memoryUsage.rss(),
          workers_bytes: sizes.reduce((sum, size) => sum + size, 0),
          machine_bytes: totalmem(),
          machine_free_bytes: freemem(),
        },
        event_loop_p99_ms: Math.max(0, delay.percentile(99) / 1e6 - 20),
        streams: activeRequests.size,
        draining: activeRequests.draining,
        voices: speech.voices().length,
        engines: [
          ...engineNames.map((name) => {
            const own = workers.filter((worker) => worker.engine === name).length;
            return { name, task: "speaks" as const, ready: own > 0, workers: own };
          }),
          ...recognizerNames.map((name) => ({
            name,
            task: "listens" as const,
            ready: listening.includes(name),
            workers: 0,
          })),
        ],
      };
    },
    close: () => delay.disable(),
  };
}
