import { execFile } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Finding, fail, ok } from "./check.ts";

const modules = [
  { name: "onnxruntime-node", owner: "@parlance/speech", purpose: "runs the models" },
  { name: "node-av", owner: "@parlance/speech", purpose: "encodes audio" },
  { name: "libsql", owner: "@parlance/server", purpose: "the database" },
] as const;

/** Loads each in a child process, because a binary for another machine may crash the process. */
export function checkNativeModules(signal: AbortSignal): readonly Promise<Finding>[] {
  return modules.map(async ({ name, owner, purpose }) => {
    const check = `module ${name}`;
    try {
      const cwd = dirname(fileURLToPath(import.meta.resolve(owner)));
      const script = `await import(${JSON.stringify(name)})`;
      const args = ["--input-type=module", "-e", script];
      await promisify(execFile)(process.execPath, args, { cwd, timeout: 60_000, signal });
      return ok(check, `${name} loads (${purpose})`);
    } catch (error) {
      return fail(
        check,
        `${name} does not load (${purpose}): ${reasonOf(error)}`,
        "Run npm install on this machine with this version of Node: the binaries in a copied node_modules may be for another one.",
      );
    }
  });
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const output = "stderr" in error ? String(error.stderr) : "";
  const line = output.split("\n").find((candidate) => /\bError\b/.test(candidate));
  return (
    line?.trim() ??
    ("signal" in error && error.signal ? `ended by ${error.signal}` : (error.message.split("\n")[0] ?? ""))
  );
}
