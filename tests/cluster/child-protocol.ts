import { monitorEventLoopDelay } from "node:perf_hooks";
import type { ProcessReport } from "./cluster-processes.ts";

/** How often the event loop is asked. */
const DELAY_RESOLUTION_MS = 20;

/** Says that its code is loaded, starts with the first message of its parent, and answers every further one with a report. */
export function runAsChild<Start>(start: (given: Start) => Promise<string>): void {
  process.once("message", async (given: Start) => {
    const started = await start(given);
    const delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
    delay.enable();
    const report = (): ProcessReport => {
      const { user, system } = process.cpuUsage();
      const loopDelayMs = delay.percentile(99) / 1e6 - DELAY_RESOLUTION_MS;
      delay.reset();
      return { cpuSeconds: (user + system) / 1e6, rssMb: process.memoryUsage.rss() / 2 ** 20, loopDelayMs };
    };
    process.on("message", () => process.send?.(report()));
    process.send?.(started);
  });
  process.on("disconnect", () => process.exit(0));
  process.send?.("loaded");
}
