import { clamp } from "../lib/clamp.ts";

/** How the workers of a pool share the cores. */
export interface CoreShare {
  /** The cores that a worker has while all the others work; at least one. */
  readonly cores: number;
  /** The threads that it computes with: more than its cores are of use while other workers are idle. */
  readonly threads: number;
}

export function shareCores(cores: number, workers: number, leastThreads: number): CoreShare {
  const own = Math.max(1, Math.floor(cores / workers));
  return { cores: own, threads: Math.max(own, Math.min(cores, leastThreads)) };
}

/**
 * What a piece of work takes of a worker that has only its own cores. That is the CPU time on one core. On several it is the
 * time that has passed, but no more than the CPU time: waiting for a core is not work, and makes none more expensive.
 */
export function busyTime(elapsedMs: number, cpuMs: number, cores: number): number {
  return clamp(elapsedMs, cpuMs / cores, cpuMs);
}

/** The CPU time of this process from now on, in milliseconds. */
export function startCpuClock(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
}
