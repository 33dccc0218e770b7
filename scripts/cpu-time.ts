import { readFileSync } from "node:fs";

/** Linux counts in hundredths of a second, on every architecture that Node.js runs on. */
const TICK_MS = 10;

/** Milliseconds of CPU time of this process and of the child processes that have ended. Elsewhere than on Linux, without these. */
export function cpuMs(): number {
  try {
    return TICK_MS * ticksOf(readFileSync("/proc/self/stat", "utf8"));
  } catch {
    const { user, system } = process.cpuUsage();
    return Math.round((user + system) / 1000);
  }
}

/** utime, stime, cutime and cstime of proc(5). The name of the program, in parentheses, may hold spaces. */
function ticksOf(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  if (Number.isNaN(ticks)) throw new Error("not the format of proc(5)");
  return ticks;
}
