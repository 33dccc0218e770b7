import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../main.ts", import.meta.url));

/** As long as the tests themselves may take: one that serves lives while other commands start, each of which takes a while. */
const usualMs = 600_000;

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly bytes: Buffer;
  readonly stderr: string;
}

export interface RunningCli {
  readonly process: ChildProcessWithoutNullStreams;
  stderr(): string;
  /** Bytes that have come from standard output so far. */
  written(): number;
  readonly ended: Promise<CliResult>;
}

export interface CliOptions {
  readonly input?: string;
  /** The test writes more to standard input, and ends it. */
  readonly inputStaysOpen?: boolean;
  readonly cwd?: string;
}

/** Starts the real command line, from source, in a process of its own. */
export function startCli(args: readonly string[], environment: NodeJS.ProcessEnv = {}, options: CliOptions = {}) {
  const tsx = import.meta.resolve("tsx");
  const child = spawn(process.execPath, ["--conditions=source", "--import", tsx, main, ...args], {
    env: { ...process.env, ...environment },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  // a test that gives up must not leave it running
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  const limit = setTimeout(kill, usualMs);
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

export function runCli(
  args: readonly string[],
  environment?: NodeJS.ProcessEnv,
  options?: CliOptions,
): Promise<CliResult> {
  return startCli(args, environment, options).ended;
}
