/** Watches a process and all that it started. */
import { readdirSync, readFileSync } from "node:fs";

export interface Watched {
  readonly peakRssMb: number;
  /** Of the process itself. */
  readonly peakOwnRssMb: number;
  /** Seconds of processor time of all of them. */
  readonly cpuSeconds: number;
}

const EVERY_MS = 250;
const TICKS_PER_SECOND = 100;

export function watch(root: number): { end(): Watched } {
  const before = new Map(familyOf(root).map((one) => [one.pid, one.ticks]));
  const ticks = new Map<number, number>();
  let peak = 0;
  let peakOwn = 0;
  const look = () => {
    const family = familyOf(root);
    peak = Math.max(
      peak,
      family.reduce((sum, one) => sum + one.rssMb, 0),
    );
    peakOwn = Math.max(peakOwn, family.find((one) => one.pid === root)?.rssMb ?? 0);
    for (const one of family) ticks.set(one.pid, one.ticks);
  };
  const timer = setInterval(look, EVERY_MS);
  return {
    end() {
      clearInterval(timer);
      look();
      const used = [...ticks].reduce((sum, [pid, count]) => sum + count - (before.get(pid) ?? 0), 0);
      return { peakRssMb: peak, peakOwnRssMb: peakOwn, cpuSeconds: used / TICKS_PER_SECOND };
    },
  };
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly rssMb: number;
  readonly ticks: number;
}

function familyOf(root: number): Process[] {
  const all = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? (readProcess(Number(name)) ?? []) : []));
  const family = new Set([root]);
  // A child may stand before its parent.
  for (let size = 0; size !== family.size; ) {
    size = family.size;
    for (const one of all) if (family.has(one.parent)) family.add(one.pid);
  }
  return all.filter((one) => family.has(one.pid));
}

function readProcess(pid: number): Process | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name stands in brackets and may hold anything.
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
