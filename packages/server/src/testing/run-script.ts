import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { sourceFlags, sourcePath } from "../../../../tests/support/child-sources.ts";

export type Script = ChildProcessByStdio<null, Readable, null>;

/** Runs a script of this folder in a separate process. */
export function runScript(name: string, ...args: readonly string[]): Script {
  return spawn(process.execPath, [...sourceFlags, sourcePath(name, import.meta.url), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}
