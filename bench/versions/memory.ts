import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { defaultModelsDirectory } from "@parlance/speech";
import { ofLength } from "../sentences.ts";
import { streamSpeech } from "../speech-client.ts";
import { round } from "../statistics.ts";
import { MODEL, type Version, versionNames } from "./speed.ts";

const KEY = "key-for-the-measurement-of-memory-01";
const ENGINE_MODEL = "kokoro-q8";
const OTHER_MODELS = ["moonshine-base", "silero-vad", "xvector"];
const REQUESTS = 8;
const START_MS = 120_000;

export interface BuiltVersion {
  readonly checkout: string;
  readonly models?: string | undefined;
}

/**
 * The memory of the built programs, as users run them: the sources take 100 MB more in each process, and the more so the more
 * sources there are. A version that is not built (`npx tsc -b packages/cli`) is left out.
 */
export async function compareMemory(versions: Readonly<Record<Version, BuiltVersion>>) {
  const rows: Record<string, Record<string, number>> = {};
  for (const name of versionNames) {
    if (existsSync(mainOf(versions[name]))) rows[name] = await memoryOf(versions[name]);
    else console.log(`memory left out: ${versions[name].checkout} is not built`);
  }
  console.table(rows);
  return rows;
}

const mainOf = ({ checkout }: BuiltVersion): string => join(resolve(checkout), "packages/cli/dist/main.js");

async function memoryOf(version: BuiltVersion): Promise<Record<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), "parlance-memory-"));
  const models = join(folder, "models");
  mkdirSync(models);
  // Only one engine: others would have workers, too. Models that are not there would be fetched and unpacked meanwhile.
  const own = defaultModelsDirectory(process.env);
  symlinkSync(join(version.models ?? own, ENGINE_MODEL), join(models, ENGINE_MODEL));
  for (const name of OTHER_MODELS) symlinkSync(join(own, name), join(models, name));
  const child = spawn(process.execPath, [mainOf(version), "serve", "--port", "0"], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      ...{ PARLANCE_DATA: join(folder, "data"), PARLANCE_MODELS: models, PARLANCE_ADMIN_KEY: KEY },
      ...{ PARLANCE_WHISPER: "off", PARLANCE_CLONING: "off" },
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const exited = new Promise((ended) => child.once("exit", ended));
  try {
    const url = await addressIn(createInterface({ input: child.stderr }));
    const memory = () => ({ server: residentMb(child.pid ?? 0), workers: workersMb(child.pid ?? 0) });
    const started = memory();
    for (let request = 0; request < REQUESTS; request++) await streamSpeech(url, KEY, ofLength(200), MODEL);
    const used = memory();
    const fetched = readdirSync(models).filter((name) => name !== ENGINE_MODEL && !OTHER_MODELS.includes(name));
    if (fetched.length > 0) throw new Error(`the server fetched models while it was measured: ${fetched.join(", ")}`);
    return {
      "at the start MB": round(started.server + started.workers),
      "after requests MB": round(used.server + used.workers),
      "of that the server": round(used.server),
    };
  } finally {
    child.kill();
    await exited;
    rmSync(folder, { recursive: true });
  }
}

/** Waits until the program has said where it listens and an engine is ready. */
async function addressIn(lines: AsyncIterable<string>): Promise<string> {
  const deadline = performance.now() + START_MS;
  for await (const line of lines) {
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
    if (url === undefined) continue;
    for (; performance.now() < deadline; await new Promise((next) => setTimeout(next, 500))) {
      if (await streamSpeech(url, KEY, "Hello.", MODEL).then(Boolean, () => false)) return url;
    }
  }
  throw new Error("the server did not start");
}

/** The processes of the engines. */
function workersMb(parent: number): number {
  const children = readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && isWorkerOf(pid, parent));
  return children.reduce((sum, pid) => sum + residentMb(Number(pid)), 0);
}

function isWorkerOf(pid: string, parent: number): boolean {
  try {
    const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
    return (
      Number(fields.split(" ")[1]) === parent && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("pool/worker.js")
    );
  } catch {
    return false;
  }
}

function residentMb(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/status`, "utf8").match(/VmRSS:\s+(\d+)/)?.[1] ?? 0) / 1024;
}
