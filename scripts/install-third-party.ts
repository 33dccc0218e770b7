/**
 * Installs the client libraries that tests/third-party runs against the service, and checks the types of those tests.
 * They are large and nothing else needs them, so they are no part of `npm install`. Does nothing when they are current.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = join("tests", "third-party");
const stamp = join(folder, "node_modules", ".installed");
const hash = createHash("sha256")
  .update(readFileSync(join(folder, "package-lock.json")))
  .digest("hex");

if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== hash) {
  console.log(`Installing the libraries of ${folder} …`);
  run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"], folder, 600_000);
  writeFileSync(stamp, hash);
}
run("npx", ["--no-install", "tsc", "-p", folder], ".", 120_000);

function run(command: string, args: readonly string[], cwd: string, timeout: number): void {
  const { status, error } = spawnSync(command, args, { cwd, timeout, stdio: "inherit" });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
