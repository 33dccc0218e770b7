import { Worker } from "node:worker_threads";

/**
 * A thread that ends this process, by force, once it holds more memory than allowed. Nothing milder reaches a native
 * call that allocates and does not return.
 */
export interface MemoryGuard {
  arm(limitMb: number): void;
  disarm(): void;
}

/** Short enough that even an allocation that runs at full speed does not get far. */
const INTERVAL_MS = 10;

/** As text, because a thread does not inherit what lets this process run TypeScript. */
const THREAD = `
  const { workerData: limit } = require("node:worker_threads");
  for (;;) {
    const limitMb = Atomics.load(limit, 0);
    if (limitMb === 0) Atomics.wait(limit, 0, 0);
    else if (process.memoryUsage.rss() > limitMb * 2 ** 20) process.kill(process.pid, "SIGKILL");
    else Atomics.wait(limit, 0, limitMb, ${INTERVAL_MS});
  }
`;

/** Resolves when the thread stands watch. */
export async function createMemoryGuard(): Promise<MemoryGuard> {
  const limit = new Int32Array(new SharedArrayBuffer(4));
  const thread = new Worker(THREAD, {
    eval: true,
    execArgv: [],
    workerData: limit,
    resourceLimits: { maxOldGenerationSizeMb: 16 },
  });
  await new Promise<void>((resolve, reject) => thread.once("online", resolve).once("error", reject));
  // Watching is no reason to stay.
  thread.unref();
  return {
    arm(limitMb) {
      Atomics.store(limit, 0, limitMb);
      Atomics.notify(limit, 0);
    },
    disarm() {
      Atomics.store(limit, 0, 0);
    },
  };
}
