import { type ChildProcess, type ForkOptions, fork } from "node:child_process";
import { setPriority } from "node:os";

/** The URL of a module beside the one that asks, with the extension of the sources or of the built files. */
export function siblingModule(path: string, from: string): URL {
  return new URL(`${path}${from.endsWith(".ts") ? ".ts" : ".js"}`, from);
}

/** The environment of a process that handles untrusted input: it gets no keys and no passwords. */
const MINIMAL_ENVIRONMENT = ["PATH", "HOME", "TMPDIR", "TEMP", "SystemRoot", "LD_LIBRARY_PATH", "NODE_OPTIONS"];

/** How a process uses memory. */
export interface RuntimeOptions {
  /** Variables for this process, unless they are set already. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** Flags of Node.js. */
  readonly flags?: readonly string[] | undefined;
}

export interface ChildOptions extends RuntimeOptions {
  readonly stdio: ForkOptions["stdio"];
  /** Passes on only what a process needs to run. */
  readonly minimalEnvironment?: boolean;
}

/** Starts a module as a process that exchanges messages with this one. */
export function forkModule(
  entry: URL,
  { stdio, minimalEnvironment = false, environment = {}, flags = [] }: ChildOptions,
): ChildProcess {
  const inherited = minimalEnvironment
    ? Object.fromEntries(MINIMAL_ENVIRONMENT.map((name) => [name, process.env[name]]))
    : process.env;
  return fork(entry, {
    // The port of a debugger and the flags of a test runner belong to this process only.
    execArgv: [...process.execArgv.filter((flag) => !/^--(inspect|test|watch)/.test(flag)), ...flags],
    env: { ...environment, ...inherited },
    serialization: "advanced",
    stdio,
  });
}

/**
 * Ties the life of this child process to its parent: it exits when the parent has gone. Ctrl-C reaches the whole process
 * group, and the parent decides what ends when, so signals are ignored.
 */
export function exitWithParent(): void {
  process.on("disconnect", () => process.exit(0));
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => {});
}

/** Lets other processes go first, where the system allows it. */
export function lowerPriority(niceness: number): void {
  try {
    setPriority(niceness);
  } catch {
    // The process works at normal priority, too.
  }
}
