import type { RunningServer } from "./server.ts";

/** Resolves after SIGTERM or SIGINT, once the server is closed. A second signal ends the process at once. */
export function closeOnSignal(server: Pick<RunningServer, "close">): Promise<void> {
  return new Promise((resolve, reject) => {
    let closing = false;
    const onSignal = (signal: NodeJS.Signals): void => {
      if (closing) process.exit(signal === "SIGINT" ? 130 : 143);
      closing = true;
      server.close().then(resolve, reject);
    };
    process.on("SIGTERM", onSignal);
    process.on("SIGINT", onSignal);
  });
}
