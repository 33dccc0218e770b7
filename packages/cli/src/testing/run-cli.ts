import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { sourceFlags, sourcePath } from "../../../../tests/support/child-sources.ts";

const main = sourcePath("../main.ts", import.meta.url);

/** As long as a test may take: a command that serves runs while the test starts others. */
const timeoutMs = 600_000;

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly bytes: Buffer;
  readonly stderr: string;
}

export interface RunningCli {
  readonly process: ChildProcessWithoutNullStreams;
  stderr(): string;
  /** Bytes read from standard output so far. */
  written(): number;
  readonly ended: Promise<CliResult>;
}

export interface CliOptions {
  readonly input?: string;
  /** The test writes more to standard input and ends it itself. */
  readonly inputStaysOpen?: boolean;
  readonly cwd?: string;
}

/** Starts the command line from source in a child process. */
export function startCli(args: readonly string[], environment: NodeJS.ProcessEnv = {}, options: CliOptions = {}) {
  const child = spawn(process.execPath, [...sourceFlags, main, ...args], {
    env: { ...cleanEnvironment(), ...environment },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  // A test that fails must not leave the process running.
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  const limit = setTimeout(kill, timeoutMs);
  const out: Buffer[] = [];
  let stderr = "";
  let written = 0;
  child.stdout.on("data", (chunk) => {
    out.push(chunk);
    written += chunk.length;
  });
  child.stderr.setEncoding("utf8").on("data", (chunk) => {
    stderr += chunk;
  });
  child.stdin.on("error", () => {});
  child.stdin.write(options.input ?? "");
  if (options.inputStaysOpen !== true) child.stdin.end();
  const ended = once(child, "close").then(([code]): CliResult => {
    clearTimeout(limit);
    process.off("exit", kill);
    const bytes = Buffer.concat(out);
    return { code, stdout: bytes.toString("utf8"), bytes, stderr };
  });
  const running: RunningCli = { process: child, stderr: () => stderr, written: () => written, ended };
  return running;
}

/** Without the settings of the shell that runs the tests. Only the folder of the models is kept: it is a cache. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => name === "PARLANCE_MODELS" || !/^(PARLANCE_|OTEL_|NO_COLOR$|FORCE_COLOR$)/.test(name),
  );
  return Object.fromEntries(kept);
}

export function runCli(
  args: readonly string[],
  environment?: NodeJS.ProcessEnv,
  options?: CliOptions,
): Promise<CliResult> {
  return startCli(args, environment, options).ended;
}
