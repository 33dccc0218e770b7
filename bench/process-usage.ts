/** Memory and CPU time of a process and its descendants. */
import { readdirSync, readFileSync } from "node:fs";

export interface ProcessUsage {
  readonly peakRssMb: number;
  /** Of the process itself. */
  readonly peakOwnRssMb: number;
  /** Seconds of processor time of all of them. */
  readonly cpuSeconds: number;
}

const SAMPLE_MS = 250;
const TICKS_PER_SECOND = 100;

export function measureProcesses(root: number): { end(): ProcessUsage } {
  const before = new Map(processTree(root).map((one) => [one.pid, one.ticks]));
  const ticks = new Map<number, number>();
  let peak = 0;
  let peakOwn = 0;
  const sample = () => {
    const tree = processTree(root);
    peak = Math.max(
      peak,
      tree.reduce((sum, one) => sum + one.rssMb, 0),
    );
    peakOwn = Math.max(peakOwn, tree.find((one) => one.pid === root)?.rssMb ?? 0);
    for (const one of tree) ticks.set(one.pid, one.ticks);
  };
  const timer = setInterval(sample, SAMPLE_MS);
  return {
    end() {
      clearInterval(timer);
      sample();
      const used = [...ticks].reduce((sum, [pid, count]) => sum + count - (before.get(pid) ?? 0), 0);
      return { peakRssMb: peak, peakOwnRssMb: peakOwn, cpuSeconds: used / TICKS_PER_SECOND };
    },
  };
}

/** Processor time of one process so far. */
export function cpuSecondsOf(pid: number): number {
  return (readProcess(pid)?.ticks ?? 0) / TICKS_PER_SECOND;
}

/** Processor time so far of a process and those of its descendants that run. */
export function cpuSecondsOfTree(root: number): number {
  return processTree(root).reduce((sum, { ticks }) => sum + ticks, 0) / TICKS_PER_SECOND;
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly rssMb: number;
  readonly ticks: number;
}

function processTree(root: number): Process[] {
  const all = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? (readProcess(Number(name)) ?? []) : []));
  const tree = new Set([root]);
  // A child may be listed before its parent.
  for (let size = 0; size !== tree.size; ) {
    size = tree.size;
    for (const one of all) if (tree.has(one.parent)) tree.add(one.pid);
  }
  return all.filter((one) => tree.has(one.pid));
}

function readProcess(pid: number): Process | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name is in parentheses and may contain any character.
    const fields = line
      .slice(line.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const [parent = 0, user = 0, system = 0, pages = 0] = [fields[1], fields[11], fields[12], fields[21]];
    return { pid, parent, ticks: user + system, rssMb: (pages * 4096) / 2 ** 20 };
  } catch {
    return undefined;
  }
}
