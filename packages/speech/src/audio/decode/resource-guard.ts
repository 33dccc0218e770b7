import { Worker } from "node:worker_threads";

/**
 * A thread that kills this process when it exceeds its limits of memory or CPU time. Nothing else works while a native call
 * does not return.
 */
export interface ResourceGuard {
  /** `cpuSeconds` counts from now; left out, there is no limit. */
  arm(limits: { readonly memoryMb: number; readonly cpuSeconds?: number }): void;
  /** Sets another limit of the CPU time since `arm`. */
  allow(cpuSeconds: number): void;
  disarm(): void;
}

/** Ends a process that has used its CPU time. The system sends it to no process that has not asked for it. */
export const CPU_SIGNAL = "SIGVTALRM";
/** Short, because memory can be allocated fast. */
const INTERVAL_MS = 10;

/** As text, because a thread does not inherit the TypeScript loader of this process. */
const THREAD = `
  const { workerData: limits } = require("node:worker_threads");
  const cpuMs = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  for (;;) {
    const [memoryMb, maxCpuMs] = [Atomics.load(limits, 0), Atomics.load(limits, 1)];
    if (memoryMb === 0) Atomics.wait(limits, 0, 0);
    else if (process.memoryUsage.rss() > memoryMb * 2 ** 20) process.kill(process.pid, "SIGKILL");
    else if (maxCpuMs > 0 && cpuMs() > maxCpuMs) process.kill(process.pid, "${CPU_SIGNAL}");
    else Atomics.wait(limits, 0, memoryMb, ${INTERVAL_MS});
  }
`;

/** Resolves when the thread is running. */
export async function createResourceGuard(): Promise<ResourceGuard> {
  const limits = new Int32Array(new SharedArrayBuffer(8));
  const thread = new Worker(THREAD, {
    eval: true,
    execArgv: [],
    workerData: limits,
    resourceLimits: { maxOldGenerationSizeMb: 16 },
  });
  await new Promise<void>((resolve, reject) => thread.once("online", resolve).once("error", reject));
  // The thread does not keep the process alive.
  thread.unref();
  let armedAtMs = 0;
  const allow = (cpuSeconds: number): void => {
    Atomics.store(limits, 1, armedAtMs + 1000 * cpuSeconds);
  };
  return {
    arm({ memoryMb, cpuSeconds }) {
      const { user, system } = process.cpuUsage();
      armedAtMs = (user + system) / 1000;
      if (cpuSeconds !== undefined) allow(cpuSeconds);
      Atomics.store(limits, 0, memoryMb);
      Atomics.notify(limits, 0);
    },
    allow,
    disarm() {
      Atomics.store(limits, 0, 0);
      Atomics.store(limits, 1, 0);
    },
  };
}
