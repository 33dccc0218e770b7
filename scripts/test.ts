/**
 * npm test: static checks, then the four tiers of tests: the unit and the server tier, then the two with real engines.
 *
 *   npm test                    everything
 *   npm test -- PART…           only the test files whose path contains one of the parts; no static checks
 *   npm run test:unit           one tier; takes PART… too
 *   npm run test:unit -- --watch
 *
 * All tiers run even when one fails. Where CI is set, a skipped test is a failure, and failed files run again.
 */
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { type PostgresServer, postgresMissing, startPostgres } from "../packages/server/src/testing/postgres.ts";
import { cleanEnvironment } from "./clean-environment.ts";
import { compileTests } from "./compile-tests.ts";
import { runFailedAgain } from "./run-again.ts";
import { fromSource, runTiers, type TierResult, watchTier } from "./run-tier.ts";
import { printSummary } from "./test-summary.ts";
import { filesOf, namesOf, sharedRuns, testFiles, tiers } from "./tiers.ts";

const { values: options, positionals: parts } = parseArgs({
  options: { tier: { type: "string" }, watch: { type: "boolean", default: false } },
  allowPositionals: true,
});
const env = cleanEnvironment(process.env);
const selected = tiers.filter(({ name }) => options.tier === undefined || options.tier === name);
if (selected.length === 0) fail(`there is no tier ${options.tier}: use ${tiers.map(({ name }) => name).join(", ")}`);

const files = testFiles().filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)));
const work = selected.map((tier) => ({ tier, files: filesOf(tier, files) })).filter((entry) => entry.files.length > 0);
const [first] = work;
if (first === undefined) fail("no test file matches");

if (parts.length === 0 && options.tier === undefined) {
  run("npm", "run", "--silent", "typecheck");
  run("npm", "run", "--silent", "lint");
  for (const check of ["check-imports", "check-length"]) {
    run(process.execPath, "--import", "tsx", `scripts/${check}.ts`);
  }
} else if (work.some(({ tier }) => tier.name === "e2e")) {
  // The tests of the dashboard build it from the compiled packages. The static checks compile them otherwise.
  run(process.execPath, "node_modules/typescript/bin/tsc", "-b");
}
// Fetched here, where the progress is visible.
if (work.some(({ tier }) => tier.needsModels)) run(process.execPath, ...fromSource, "scripts/fetch-test-models.ts");
if (work.some(({ files }) => files.some((file) => file.startsWith("tests/third-party/")))) {
  run(process.execPath, "--import", "tsx", "scripts/install-third-party.ts");
}
if (options.watch) process.exit(watchTier(first.tier, first.files, env));

await compileTests();
const postgres = await sharedPostgres();
if (postgres) env.PARLANCE_TEST_POSTGRES = postgres.url;
let results: readonly TierResult[] = sharedRuns(work.map(({ tier }) => tier)).map((tiers) => {
  const ours = tiers.flatMap((tier) => filesOf(tier, files));
  console.log(`\n${namesOf(tiers)}: ${ours.length} files`);
  return runTiers(tiers, ours, env);
});
if (process.env.CI) results = runFailedAgain(results, (tiers, files) => runTiers(tiers, files, env, 1));
await postgres?.stop();

const { skipped } = printSummary(results);
if (skipped > 0 && postgresMissing) console.error(postgresMissing);
if (process.env.CI && skipped > 0) fail(`${skipped} tests were skipped, which is a failure where CI is set`);
process.exit(results.every(({ passed }) => passed) ? 0 : 1);

/** One server for all files. Without it, each file that needs one would start its own. */
async function sharedPostgres(): Promise<PostgresServer | undefined> {
  const needed = work.some(({ tier }) => tier.needsPostgres);
  return needed && !postgresMissing && !env.PARLANCE_TEST_POSTGRES ? startPostgres() : undefined;
}

function run(command: string, ...args: string[]): void {
  const { status } = spawnSync(command, args, { stdio: "inherit", env });
  if (status !== 0) process.exit(status ?? 1);
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
