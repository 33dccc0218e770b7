import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface ServerReport {
  readonly eventLoopP99Ms: number;
  readonly eventLoopMaxMs: number;
  readonly rssMb: number;
  readonly heapMb: number;
  readonly workersRssMb: number;
  /** What the server and those who speak for it have computed altogether. */
  readonly cpuSeconds: number;
  /** The processes that speak and listen. */
  readonly workers: readonly number[];
}

export interface BenchServerOptions {
  /** The tone costs nothing to make: what is left is what the server costs. */
  readonly speech?: "kokoro" | "piper" | "tone" | "all";
  readonly kokoroQuality?: "fast" | "full";
  readonly concurrency?: number;
  /** Where its data is kept afterwards; by default it is thrown away. */
  readonly data?: string;
  readonly log?: "silent" | "error";
}

/** Starts the real server on loopback, with an empty database of its own. */
export async function startBenchServer(options: BenchServerOptions = {}) {
  const { speech = "kokoro", kokoroQuality = "fast", concurrency = 64 } = options;
  const data = options.data ?? mkdtempSync(join(tmpdir(), "parlance-bench-"));
  const child = fork(new URL("./server-process.ts", import.meta.url), {
    // With tones, memory is measured, and what has not been collected yet would be measured along.
    execArgv: speech === "tone" ? [...process.execArgv, "--expose-gc"] : process.execArgv,
    env: {
      ...process.env,
      PARLANCE_DATA: data,
      PARLANCE_PORT: "0",
      PARLANCE_CONCURRENCY: String(concurrency),
      BENCH_SPEECH: speech,
      PARLANCE_KOKORO_QUALITY: kokoroQuality,
      PARLANCE_REQUESTS_PER_MINUTE: "0",
      PARLANCE_LOG: options.log ?? "silent",
    },
  });
  const ended = new Promise<never>((_, reject) => {
    child.once("exit", () => reject(new Error("the server ended")));
  });
  ended.catch(() => {});
  const answer = <T>() =>
    Promise.race([ended, new Promise<T>((resolve) => child.once("message", (message) => resolve(message as T)))]);
  const { url, key } = await answer<{ url: string; key: string }>();
  const ask = (question: "reset" | "report") => {
    child.send(question);
    return answer<ServerReport>();
  };
  return {
    url,
    key,
    pid: child.pid ?? 0,
    reset: () => ask("reset"),
    report: () => ask("report"),
    async close() {
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.send("close");
      await gone;
      if (options.data === undefined) rmSync(data, { recursive: true });
    },
  };
}
