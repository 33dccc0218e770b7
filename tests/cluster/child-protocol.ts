import type { ProcessReport } from "./cluster-processes.ts";

/** Says that its code is loaded, starts with the first message of its parent, and answers every further one with a report. */
export function runAsChild<Start>(start: (given: Start) => Promise<string>): void {
  process.once("message", async (given: Start) => {
    const started = await start(given);
    process.on("message", () => process.send?.(report()));
    process.send?.(started);
  });
  process.on("disconnect", () => process.exit(0));
  process.send?.("loaded");
}

function report(): ProcessReport {
  const { user, system } = process.cpuUsage();
  return { cpuSeconds: (user + system) / 1e6, rssMb: process.memoryUsage.rss() / 2 ** 20 };
}
