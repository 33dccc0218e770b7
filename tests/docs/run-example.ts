import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { codeBlocks } from "./markdown.ts";

export interface ExampleOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Files that the example reads. */
  readonly files?: Readonly<Record<string, Uint8Array>>;
  /** Where the packages are that the example imports. */
  readonly modules?: string;
}

export interface ExampleRun {
  readonly stdout: string;
  /** A file that the example has written. */
  read(name: string): Buffer;
}

const TIMEOUT_MS = 60_000;

/** Runs the first ```js example of a page, unchanged, as a program of its own. Throws when it fails. */
export async function runExample(page: string, written: readonly string[], options: ExampleOptions = {}) {
  const example = codeBlocks(await readFile(page, "utf8")).find(({ language }) => language === "js");
  if (example === undefined) throw new Error(`${page} has no example in JavaScript`);
  const folder = await mkdtemp(join(tmpdir(), "parlance-example-"));
  try {
    await symlink(resolve(options.modules ?? "node_modules"), join(folder, "node_modules"));
    await writeFile(join(folder, "example.mjs"), example.code);
    for (const [name, bytes] of Object.entries(options.files ?? {})) await writeFile(join(folder, name), bytes);
    const { PATH = "" } = process.env;
    const child = spawn(process.execPath, ["example.mjs"], { cwd: folder, env: { PATH, ...options.environment } });
    const timer = setTimeout(() => child.kill("SIGKILL"), TIMEOUT_MS);
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
    });
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    const [code] = await once(child, "close");
    clearTimeout(timer);
    if (code !== 0) throw new Error(`the example of ${page} ended with ${code}: ${stderr}`);
    const contents = new Map<string, Buffer>();
    for (const name of written) contents.set(name, await readFile(join(folder, name)));
    const run: ExampleRun = { stdout, read: (name) => contents.get(name) ?? Buffer.alloc(0) };
    return run;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
