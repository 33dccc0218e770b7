import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

export type Script = ChildProcessByStdio<null, Readable, null>;

/** Runs a script of this folder in a separate process. */
export function runScript(name: string, ...args: readonly string[]): Script {
  const path = fileURLToPath(new URL(name, import.meta.url));
  return spawn(process.execPath, ["--conditions=source", "--import", "tsx", path, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}
