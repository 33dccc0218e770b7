import { setTimeout as sleep } from "node:timers/promises";

/** Kills a random worker process from time to time until the signal aborts. Returns the number of kills. */
export async function killWorkers(
  workers: () => Promise<readonly number[]>,
  everyMs: number,
  random: () => number,
  signal: AbortSignal,
): Promise<number> {
  let kills = 0;
  for (;;) {
    try {
      await sleep(everyMs * (0.5 + random()), undefined, { signal });
    } catch {
      return kills;
    }
    const pids = await workers();
    const pid = pids[Math.floor(random() * pids.length)];
    if (pid === undefined) continue;
    try {
      process.kill(pid, "SIGKILL");
      kills++;
    } catch {
      // The process had exited already.
    }
  }
}
