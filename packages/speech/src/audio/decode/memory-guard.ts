import { Worker } from "node:worker_threads";

/**
 * A thread that kills this process when it exceeds its memory limit. Nothing else works while a native call allocates memory
 * and does not return.
 */
export interface MemoryGuard {
  arm(limitMb: number): void;
  disarm(): void;
}

/** Short, because memory can be allocated fast. */
const INTERVAL_MS = 10;

/** As text, because a thread does not inherit the TypeScript loader of this process. */
const THREAD = `
  const { workerData: limit } = require("node:worker_threads");
  for (;;) {
    const limitMb = Atomics.load(limit, 0);
    if (limitMb === 0) Atomics.wait(limit, 0, 0);
    else if (process.memoryUsage.rss() > limitMb * 2 ** 20) process.kill(process.pid, "SIGKILL");
    else Atomics.wait(limit, 0, limitMb, ${INTERVAL_MS});
  }
`;

/** Resolves when the thread is running. */
export async function createMemoryGuard(): Promise<MemoryGuard> {
  const limit = new Int32Array(new SharedArrayBuffer(4));
  const thread = new Worker(THREAD, {
    eval: true,
    execArgv: [],
    workerData: limit,
    resourceLimits: { maxOldGenerationSizeMb: 16 },
  });
  await new Promise<void>((resolve, reject) => thread.once("online", resolve).once("error", reject));
  // The thread does not keep the process alive.
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
