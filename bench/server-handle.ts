import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sourcePath } from "../tests/support/child-sources.ts";

export interface ServerReport {
  readonly eventLoopP99Ms: number;
  readonly eventLoopMaxMs: number;
  /** CPU time of the longest turn of the event loop since the last report. */
  readonly blockedMs: number;
  readonly rssMb: number;
  readonly heapMb: number;
  readonly workersRssMb: number;
  /** CPU time of the server and its workers. */
  readonly cpuSeconds: number;
  /** Process ids of the workers. */
  readonly workers: readonly number[];
}

export interface BenchServerOptions {
  /** A tone takes no time to generate, which leaves the cost of the server. */
  readonly speech?: "kokoro" | "piper" | "tone" | "all";
  readonly kokoroQuality?: "fast" | "full";
  readonly concurrency?: number;
  /** The limit of live sockets; by default that of the server. */
  readonly sockets?: number;
  /** Whether voices are made, from any recording and without models. With the speech "tone" only. */
  readonly cloning?: "instant";
  /** A data folder that is kept. By default a temporary one is used. */
  readonly data?: string;
  readonly log?: "silent" | "error";
  /** Another checkout of this repository, with its packages installed, whose server is started. */
  readonly checkout?: string;
  /** The folder of its models, where it needs other versions of them. */
  readonly models?: string | undefined;
}

/** Starts the real server on loopback, with an empty database of its own. */
export async function startBenchServer(options: BenchServerOptions = {}) {
  const { speech = "kokoro", kokoroQuality = "fast", concurrency = 64 } = options;
  const data = options.data ?? mkdtempSync(join(tmpdir(), "parlance-bench-"));
  const { checkout } = options;
  const entry = checkout
    ? join(checkout, "bench/server-process.ts")
    : sourcePath("./server-process.ts", import.meta.url);
  const child = fork(entry, {
    ...(checkout ? { cwd: checkout } : {}),
    // Memory is measured with tones, so garbage is collected first.
    execArgv: speech === "tone" ? [...process.execArgv, "--expose-gc"] : process.execArgv,
    env: {
      ...process.env,
      PARLANCE_DATA: data,
      ...(options.models === undefined ? {} : { PARLANCE_MODELS: options.models }),
      PARLANCE_PORT: "0",
      PARLANCE_CONCURRENCY: String(concurrency),
      BENCH_SPEECH: speech,
      BENCH_CLONING: options.cloning ?? "",
      PARLANCE_KOKORO_QUALITY: kokoroQuality,
      PARLANCE_REQUESTS_PER_MINUTE: "0",
      ...(options.sockets === undefined ? {} : { PARLANCE_SOCKETS_PER_ACCOUNT: String(options.sockets) }),
      PARLANCE_LOG: options.log ?? "silent",
    },
  });
  const ended = new Promise<never>((_, reject) => {
    child.once("exit", () => reject(new Error("the server ended")));
  });
  ended.catch(() => {});
  const nextMessage = <T>() =>
    Promise.race([ended, new Promise<T>((resolve) => child.once("message", (message) => resolve(message as T)))]);
  const { url, key } = await nextMessage<{ url: string; key: string }>();
  const query = (command: "reset" | "report") => {
    child.send(command);
    return nextMessage<ServerReport>();
  };
  return {
    url,
    key,
    pid: child.pid ?? 0,
    reset: () => query("reset"),
    report: () => query("report"),
    async close() {
      const exited = new Promise((resolve) => child.once("exit", resolve));
      child.send("close");
      await exited;
      if (options.data === undefined) rmSync(data, { recursive: true });
    },
  };
}
