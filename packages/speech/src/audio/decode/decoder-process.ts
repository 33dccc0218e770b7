import { forkModule, siblingModule } from "../../lib/child-process.ts";
import type { DecodeJob, FromDecoder } from "./messages.ts";

const entry = siblingModule("./decoder-main", import.meta.url);

/** The result of a file: a message of the process, or its exit. */
export type DecoderAnswer =
  | Exclude<FromDecoder, { type: "ready" }>
  | { readonly type: "ended"; readonly signal: NodeJS.Signals | null; readonly ready: boolean };

export interface DecoderProcess {
  readonly pid: number | undefined;
  readonly alive: boolean;
  /** The number of files that it was given. */
  readonly files: number;
  /** Resolves when it is ready; with false when it has exited instead. */
  readonly started: Promise<boolean>;
  /** One at a time. */
  decode(job: DecodeJob): Promise<DecoderAnswer>;
  /** Resolves when it has exited. */
  kill(): Promise<void>;
}

export function startDecoderProcess(): DecoderProcess {
  const child = forkModule(entry, { stdio: ["ignore", 2, 2, "ipc"], minimalEnvironment: true });
  let files = 0;
  let ready = false;
  let ended: DecoderAnswer | undefined;
  let answer: ((message: DecoderAnswer) => void) | undefined;

  const exited = new Promise<void>((resolve) => {
    const end = (signal: NodeJS.Signals | null) => {
      ended ??= { type: "ended", signal, ready };
      answer?.(ended);
      resolve();
    };
    child.on("exit", (_code, signal) => end(signal));
    child.on("error", () => {
      // Also emitted when a message could not be sent; a process that could not be started has no exit event.
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
    void exited.then(() => resolve(false));
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
        // A process that has just exited is reported by its exit event.
        if (child.connected) child.send(job, () => {});
      });
    },
    kill() {
      child.kill("SIGKILL");
      return exited;
    },
  };
}
