import { setTimeout as sleep } from "node:timers/promises";

/** Waits until the work since the last call has used no more than its share of one core. */
export type PauseForShare = (signal: AbortSignal) => Promise<void>;

export interface ShareClock {
  /** CPU time of this process, in milliseconds. */
  cpuMs(): number;
  /** Any monotonic time, in milliseconds. */
  now(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** With less, a voice would take days, and a pause could be longer than a timer can be. */
const LEAST_SHARE = 0.01;

const processClock: ShareClock = {
  cpuMs() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
  now: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
};

/**
 * Limits work to a share of one core, by pauses between its steps. Time that other processes took from a step counts as a
 * pause, so that the work gets its share on a busy machine as well.
 */
export function createCpuShare(share: number, clock: ShareClock = processClock): PauseForShare {
  if (!(share > 0 && share <= 1)) throw new RangeError(`a share of one core is above 0 and at most 1, not ${share}`);
  const limit = Math.max(share, LEAST_SHARE);
  let startedAt = clock.now();
  let usedBefore = clock.cpuMs();
  return async (signal) => {
    signal.throwIfAborted();
    const ms = (clock.cpuMs() - usedBefore) / limit - (clock.now() - startedAt);
    if (ms > 0) await clock.sleep(ms, signal);
    startedAt = clock.now();
    usedBefore = clock.cpuMs();
  };
}
