/**
 * npm test: the static checks, then every test file. `npm test -- PART…` runs only the test files whose path holds one
 * of the parts. A skipped test counts as a failure where CI is set: there, everything has to be proven.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postgresMissing, startPostgres } from "../packages/server/src/testing/postgres.ts";
import { filesBelow } from "./files.ts";

const parts = process.argv.slice(2);
const fromSource = ["--conditions=source", "--import", "tsx"];

function run(command: string, ...args: string[]): void {
  const { status } = spawnSync(command, args, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

if (parts.length === 0) {
  run("npm", "run", "--silent", "typecheck");
  run("npm", "run", "--silent", "lint");
  run(process.execPath, "--import", "tsx", "scripts/check-imports.ts");
  run(process.execPath, "--import", "tsx", "scripts/check-length.ts");
}
// Fetched here, where progress can be seen, and not by whichever test comes first.
run(process.execPath, ...fromSource, "scripts/fetch-test-models.ts");

const files = ["packages", "scripts", "tests"]
  .flatMap((folder) => filesBelow(folder, ".test.ts"))
  .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)));
const folder = mkdtempSync(join(tmpdir(), "parlance-test-"));
const report = join(folder, "report.tap");
const postgres = await sharedPostgres();
const { status } = spawnSync(
  process.execPath,
  [
    ...fromSource,
    "--test",
    "--test-concurrency=2",
    "--test-reporter=spec",
    "--test-reporter-destination=stdout",
    "--test-reporter=tap",
    `--test-reporter-destination=${report}`,
    ...files,
  ],
  { stdio: "inherit", env: { ...process.env, ...(postgres && { PARLANCE_TEST_POSTGRES: postgres.url }) } },
);
await postgres?.stop();
const skipped = Number(readFileSync(report, "utf8").match(/^# skipped (\d+)/m)?.[1] ?? 0);
rmSync(folder, { recursive: true });
if (skipped > 0 && postgresMissing) console.error(postgresMissing);
if (process.env.CI && skipped > 0) {
  console.error(`${skipped} tests were skipped; in CI that is a failure`);
  process.exit(1);
}
process.exit(status ?? 1);

/** One server for all files, each of which would otherwise start its own. Undefined when none needs it. */
async function sharedPostgres() {
  const needed = files.some((file) => readFileSync(file, "utf8").includes("testing/databases.ts"));
  if (!needed || postgresMissing || process.env.PARLANCE_TEST_POSTGRES) return undefined;
  return startPostgres();
}
