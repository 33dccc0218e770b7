import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Reads a file; undefined when there is none. */
export type ReadText = (path: string) => string | undefined;

/**
 * Bytes that this process and its children may still use: of their control group (version 1 or 2) or of the machine,
 * whichever is less. Files in the page cache count as free, because the kernel drops them first. Undefined where the system
 * does not say.
 */
export function availableMemory(read: ReadText = readText): number | undefined {
  const values = [ofMachine(read), ofGroup2(read), ofGroup1(read)].filter((value) => value !== undefined);
  return values.length === 0 ? undefined : Math.min(...values);
}

function ofMachine(read: ReadText): number | undefined {
  const kilobytes = numberAfter(read("/proc/meminfo"), "MemAvailable:");
  return kilobytes === undefined ? undefined : kilobytes * 1024;
}

function ofGroup2(read: ReadText): number | undefined {
  const folder = join("/sys/fs/cgroup", groupOf(read, /^0::(.*)$/m));
  const limit = toNumber(read(join(folder, "memory.max")));
  const used = toNumber(read(join(folder, "memory.current")));
  return remaining(limit, used, numberAfter(read(join(folder, "memory.stat")), "inactive_file"));
}

function ofGroup1(read: ReadText): number | undefined {
  const root = "/sys/fs/cgroup/memory";
  const own = join(root, groupOf(read, /^\d+:(?:\w+,)*memory(?:,\w+)*:(.*)$/m));
  // In a container the group is mounted at the root, though its name is that of the host.
  const folder = read(join(own, "memory.limit_in_bytes")) === undefined ? root : own;
  const limit = toNumber(read(join(folder, "memory.limit_in_bytes")));
  const used = toNumber(read(join(folder, "memory.usage_in_bytes")));
  return remaining(limit, used, numberAfter(read(join(folder, "memory.stat")), "total_inactive_file"));
}

function remaining(limit: number | undefined, used: number | undefined, cached = 0): number | undefined {
  return limit === undefined || used === undefined ? undefined : Math.max(0, limit - (used - cached));
}

function groupOf(read: ReadText, pattern: RegExp): string {
  return pattern.exec(read("/proc/self/cgroup") ?? "")?.[1] ?? "";
}

function numberAfter(text: string | undefined, name: string): number | undefined {
  const line = text?.split("\n").find((each) => each.startsWith(`${name} `));
  return toNumber(line?.slice(name.length).trim().split(" ", 1)[0]);
}

/** Undefined for `max`, which means that there is no limit. */
function toNumber(text: string | undefined): number | undefined {
  const trimmed = text?.trim() ?? "";
  return /^\d+$/.test(trimmed) ? Number(trimmed) : undefined;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
