import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../main.ts", import.meta.url));

const mostMs = 90_000;

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly bytes: Buffer;
  readonly stderr: string;
}

export interface RunningCli {
  readonly process: ChildProcess;
  stderr(): string;
  readonly ended: Promise<CliResult>;
}

export interface CliOptions {
  readonly input?: string;
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
  const limit = setTimeout(kill, mostMs);
  const out: Buffer[] = [];
  let stderr = "";
  child.stdout.on("data", (chunk) => out.push(chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk) => {
    stderr += chunk;
  });
  child.stdin.on("error", () => {});
  child.stdin.end(options.input ?? "");
  const ended = once(child, "close").then(([code]): CliResult => {
    clearTimeout(limit);
    process.off("exit", kill);
    const bytes = Buffer.concat(out);
    return { code, stdout: bytes.toString("utf8"), bytes, stderr };
  });
  const running: RunningCli = { process: child, stderr: () => stderr, ended };
  return running;
}

export function runCli(
  args: readonly string[],
  environment?: NodeJS.ProcessEnv,
  options?: CliOptions,
): Promise<CliResult> {
  return startCli(args, environment, options).ended;
}
