import { setTimeout as sleep } from "node:timers/promises";

/** Kills one of the processes now and then, without a word, until the signal. Gives how many. */
export async function killNowAndThen(
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
      // It was gone already.
    }
  }
}
