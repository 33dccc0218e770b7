import { type ChildProcess, fork } from "node:child_process";

/** A module beside the one that asks, as it is called in the sources and in what is built from them. */
export function workerModule(path: string, from: string): URL {
  return new URL(`${path}${from.endsWith(".ts") ? ".ts" : ".js"}`, from);
}

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
): WorkerProcess {
  const child: ChildProcess = fork(entry, {
    serialization: "advanced",
    // A debugger's port or a test runner's flags are this process's own.
    execArgv: process.execArgv.filter((flag) => !/^--(inspect|test|watch)/.test(flag)),
    // Both to standard error: standard output may be carrying the audio.
    stdio: ["ignore", 2, 2, "ipc"],
  });
  let gone = false;
  const exit = (reason: string) => {
    if (gone) return;
    gone = true;
    onExit(reason);
  };
  child.on("message", onMessage);
  child.on("exit", (code, signal) => exit(signal ? `it was ended by ${signal}` : `it exited with code ${code}`));
  child.on("error", (error) => exit(error.message));
  return {
    pid: child.pid,
    send(message) {
      // A worker that has just died is reported by its exit; what is sent meanwhile goes nowhere.
      if (!gone && child.connected) child.send(message, () => {});
    },
    kill: () => void child.kill("SIGKILL"),
  };
}
