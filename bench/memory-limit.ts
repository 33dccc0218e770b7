import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A limit of memory for processes, by a control group. */
export interface MemoryLimit {
  /** The processes that are started meanwhile have the limit, together with their children. */
  startWithin<Result>(start: () => Promise<Result>): Promise<Result>;
  peakMb(): number;
  /** Processes that the kernel has ended because the limit was reached. */
  kills(): number;
  /** When its processes have ended. */
  close(): void;
}

/** Needs the right to create control groups. Files in the page cache count too, but are dropped first. */
export function createMemoryLimit(megabytes: number): MemoryLimit {
  const isVersion1 = existsSync("/sys/fs/cgroup/memory");
  const root = isVersion1 ? "/sys/fs/cgroup/memory" : "/sys/fs/cgroup";
  const names = isVersion1
    ? { limit: "memory.limit_in_bytes", peak: "memory.max_usage_in_bytes", events: "memory.oom_control" }
    : { limit: "memory.max", peak: "memory.peak", events: "memory.events" };
  const folder = join(root, `parlance-bench-${process.pid}`);
  mkdirSync(folder);
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  const enter = (group: string): void => writeFileSync(join(group, "cgroup.procs"), String(process.pid));
  writeFileSync(join(folder, names.limit), String(megabytes * 2 ** 20));
  return {
    async startWithin(start) {
      const own = readFileSync("/proc/self/cgroup", "utf8");
      const [, before = ""] = (isVersion1 ? /^\d+:memory:(.*)$/m : /^0::(.*)$/m).exec(own) ?? [];
      enter(folder);
      try {
        return await start();
      } finally {
        enter(join(root, before));
      }
    },
    peakMb: () => Math.round(Number(read(names.peak)) / 2 ** 20),
    kills: () => Number(/^oom_kill (\d+)$/m.exec(read(names.events))?.[1] ?? 0),
    close: () => rmdirSync(folder),
  };
}
