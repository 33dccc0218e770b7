import { type ChildProcess, fork } from "node:child_process";
import type { DecodeJob, FromDecoder } from "./messages.ts";

const entry = new URL(import.meta.url.endsWith(".ts") ? "./decoder-main.ts" : "./decoder-main.js", import.meta.url);

/** All that the process needs of our environment; keys and passwords it does not. */
const ENVIRONMENT = ["PATH", "HOME", "TMPDIR", "TEMP", "SystemRoot", "LD_LIBRARY_PATH", "NODE_OPTIONS"];

/** How a process answered: in words, or by ending. */
export type DecoderAnswer =
  | Exclude<FromDecoder, { type: "ready" }>
  | { readonly type: "ended"; readonly signal: NodeJS.Signals | null; readonly ready: boolean };

export interface DecoderProcess {
  readonly pid: number | undefined;
  readonly alive: boolean;
  /** How many files it was given. */
  readonly files: number;
  /** Fulfilled when it can take a file; with false when it has ended instead. */
  readonly started: Promise<boolean>;
  /** One at a time. */
  decode(job: DecodeJob): Promise<DecoderAnswer>;
  /** Fulfilled when it is gone. */
  kill(): Promise<void>;
}

export function startDecoderProcess(): DecoderProcess {
  const child: ChildProcess = fork(entry, {
    // A debugger's port or a test runner's flags are this process's own.
    execArgv: process.execArgv.filter((flag) => !/^--(inspect|test|watch)/.test(flag)),
    env: Object.fromEntries(ENVIRONMENT.map((name) => [name, process.env[name]])),
    serialization: "advanced",
    stdio: ["ignore", 2, 2, "ipc"],
  });
  let files = 0;
  let ready = false;
  let ended: DecoderAnswer | undefined;
  let answer: ((message: DecoderAnswer) => void) | undefined;

  const gone = new Promise<void>((resolve) => {
    const end = (signal: NodeJS.Signals | null) => {
      ended ??= { type: "ended", signal, ready };
      answer?.(ended);
      resolve();
    };
    child.on("exit", (_code, signal) => end(signal));
    child.on("error", () => {
      // Also told of when a message could not be sent; only a process that never was has no other end.
      if (child.pid === undefined) end(null);
    });
  });
  const started = new Promise<boolean>((resolve) => {
    child.on("message", (message: FromDecoder) => {
      if (message.type === "ready") {
        ready = true;
        resolve(true);
      } else answer?.(message);
    });
    void gone.then(() => resolve(false));
  });

  return {
    pid: child.pid,
    get alive() {
      return ended === undefined;
    },
    get files() {
      return files;
    },
    started,
    async decode(job) {
      if (ended) return ended;
      files++;
      return new Promise((resolve) => {
        answer = resolve;
        // One that has just died is reported by its exit.
        if (child.connected) child.send(job, () => {});
      });
    },
    kill() {
      child.kill("SIGKILL");
      return gone;
    },
  };
}
