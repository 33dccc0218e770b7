import { forkModule, type RuntimeOptions } from "../lib/child-process.ts";

export interface WorkerProcess {
  readonly pid: number | undefined;
  send(message: object): void;
  kill(): void;
}

/** Starts a worker. `onExit` is called once, however it ends. */
export function startWorker(
  entry: URL,
  onMessage: (message: unknown) => void,
  onExit: (reason: string) => void,
  runtime: RuntimeOptions = {},
): WorkerProcess {
  // Both outputs go to standard error: standard output may carry the audio.
  const child = forkModule(entry, { stdio: ["ignore", 2, 2, "ipc"], ...runtime });
  let exited = false;
  const exit = (reason: string) => {
    if (exited) return;
    exited = true;
    onExit(reason);
  };
  child.on("message", onMessage);
  child.on("exit", (code, signal) => exit(signal ? `it was ended by ${signal}` : `it exited with code ${code}`));
  child.on("error", (error) => exit(error.message));
  return {
    pid: child.pid,
    send(message) {
      // The exit of a worker is reported by its event; a message sent meanwhile is dropped.
      if (!exited && child.connected) child.send(message, () => {});
    },
    kill: () => void child.kill("SIGKILL"),
  };
}
