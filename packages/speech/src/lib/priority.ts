import { readdirSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";

/** The priority of this process, which changes with what it does. */
export interface Priority {
  /** Lets other processes go first, where the system allows it. */
  lower(): void;
  /** Back to the priority at the start, where the system allows it: without a privilege, a process cannot raise its own. */
  raise(): void;
}

/** `niceness` as `nice` counts it, for the lower priority. */
export function createPriority(niceness: number): Priority {
  let usual = constants.priority.PRIORITY_NORMAL;
  try {
    usual = getPriority();
  } catch {
    // Not known: it is taken for normal.
  }
  let current = usual;
  const set = (wanted: number): void => {
    if (wanted === current) return;
    try {
      for (const thread of threads()) setPriority(thread, wanted);
      current = wanted;
    } catch {
      // The process works at any priority.
    }
  };
  return { lower: () => set(Math.max(usual, niceness)), raise: () => set(usual) };
}

/** On Linux each thread has a priority of its own, and 0 is only the main one. */
function threads(): readonly number[] {
  try {
    return readdirSync("/proc/self/task").map(Number);
  } catch {
    return [0];
  }
}
