import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { promisify } from "node:util";
import { cleanEnvironment } from "../../scripts/clean-environment.ts";
import { until } from "../support/until.ts";

export const TEST_KEY = "key-of-the-packed-service-0123456789";

const execute = promisify(execFile);

/** Without the variables that `npm test` sets, with which a program would seem to run in this repository. */
function userEnvironment(settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const kept = Object.entries(cleanEnvironment(process.env)).filter(
    ([name]) => !/^(npm_(lifecycle|package|command|config_local_prefix)|NODE_OPTIONS|NODE_TEST)/i.test(name),
  );
  return { ...Object.fromEntries(kept), ...settings };
}

/** Runs a program to its end. Fails with its output when its exit code is not 0 or it takes too long. */
export async function runProgram(
  command: string,
  args: readonly string[],
  cwd: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  try {
    return await execute(command, args, {
      cwd,
      env: userEnvironment(settings),
      timeout: 240_000,
      killSignal: "SIGKILL",
    });
  } catch (error) {
    const output =
      error instanceof Error && "stdout" in error && "stderr" in error ? `${error.stdout}${error.stderr}` : "";
    throw new Error(`${command} ${args.join(" ")} failed:\n${output}`, { cause: error });
  }
}

export interface InstalledService {
  readonly url: string;
  /** Stops it as an operator does, and waits until it has ended. */
  stop(): Promise<void>;
}

/** Starts `parlance serve` of an installation, and waits until it is ready. */
export async function startService(
  installed: string,
  data: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<InstalledService> {
  const own = { PARLANCE_DATA: data, PARLANCE_ADMIN_KEY: TEST_KEY, ...LIGHT, ...settings };
  const service = startInstalled(installed, ["serve", "--port", "0"], own);
  const readyUrl = async (): Promise<string | undefined> => {
    const url = /(http:\/\/127\.0\.0\.1:\d+)/.exec(service.stderr())?.[1];
    return url !== undefined && (await isReady(url)) ? url : undefined;
  };
  return { url: await service.until(readyUrl), stop: service.stop };
}

/** Starts `parlance work` of an installation, and waits until it has joined the cluster. */
export async function startInstalledWorker(
  installed: string,
  data: string,
  settings: Readonly<Record<string, string>>,
): Promise<Pick<InstalledService, "stop">> {
  const service = startInstalled(installed, ["work"], { PARLANCE_DATA: data, ...LIGHT, ...settings });
  await service.until(() => service.stderr().includes("works for the cluster"));
  return { stop: service.stop };
}

const LIGHT = { PARLANCE_WORKERS: "1", PARLANCE_WHISPER: "off", PARLANCE_CLONING: "off" };

function startInstalled(installed: string, args: readonly string[], settings: Readonly<Record<string, string>>) {
  const child = spawn(join(installed, "node_modules", ".bin", "parlance"), args, {
    cwd: installed,
    env: userEnvironment(settings),
    stdio: ["ignore", "ignore", "pipe"],
  });
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  const ended = once(child, "close");
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    const limit = setTimeout(kill, 30_000);
    await ended;
    clearTimeout(limit);
    process.off("exit", kill);
  };
  return {
    stop,
    stderr: () => stderr,
    /** Waits for a sign of readiness; fails with what the program has written when it ends or takes too long. */
    async until<Value>(probe: () => Value | Promise<Value>): Promise<Exclude<Value, false | undefined>> {
      const untilEnded = async (): Promise<Value> => {
        const value = await probe();
        if (child.exitCode !== null) throw new Error("the program has ended");
        return value;
      };
      try {
        return await until(untilEnded, { what: `parlance ${args[0]} is ready`, timeoutMs: 120_000, everyMs: 200 });
      } catch (error) {
        await stop();
        throw new Error(`parlance ${args[0]} did not become ready:\n${stderr}`, { cause: error });
      }
    },
  };
}

async function isReady(url: string): Promise<boolean> {
  const response = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
  return response?.status === 200;
}
