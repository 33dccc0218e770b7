import type { RunningServer } from "./server.ts";

/** Resolves when the process was asked to stop (SIGTERM, SIGINT) and the server has drained. A second signal ends at once. */
export function closeOnSignal(server: Pick<RunningServer, "close">): Promise<void> {
  return new Promise((resolve, reject) => {
    let asked = false;
    const onSignal = (signal: NodeJS.Signals): void => {
      if (asked) process.exit(signal === "SIGINT" ? 130 : 143);
      asked = true;
      server.close().then(resolve, reject);
    };
    process.on("SIGTERM", onSignal);
    process.on("SIGINT", onSignal);
  });
}
