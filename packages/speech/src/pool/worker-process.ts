import { type ChildProcess, fork } from "node:child_process";
import type { FromWorker, ToWorker } from "./messages.ts";

const entry = new URL(import.meta.url.endsWith(".ts") ? "./worker.ts" : "./worker.js", import.meta.url);

export interface WorkerProcess {
  readonly pid: number | undefined;
  send(message: ToWorker): void;
  kill(): void;
}

/** Starts a worker. `onExit` is called once, however it ends. */
export function startWorker(onMessage: (message: FromWorker) => void, onExit: (reason: string) => void): WorkerProcess {
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
  child.on("message", (message) => onMessage(message as FromWorker));
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
