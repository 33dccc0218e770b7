import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { compiled, sourceOf } from "./compiled-path.ts";
import { temporaryRoot } from "./temporary-root.ts";
import { type Counts, countsOf } from "./test-counts.ts";
import { type FileDuration, keepDurations, longestFirst, type Program } from "./test-durations.ts";
import { filesOf, type Tier } from "./tiers.ts";

export const fromSource = ["--conditions=source", "--import", "tsx"];

/** Bytes. Processes with real engines take up to 3 GiB each. */
const MEMORY_FOR_THREE = 10 * 2 ** 30;

export interface TierResult {
  /** One, or several that ran together. */
  readonly tiers: readonly [Tier, ...Tier[]];
  readonly passed: boolean;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly counts: Counts;
  /** Files with a test that failed. */
  readonly failedFiles: readonly string[];
  /** Files that failed, and passed when they ran again. */
  readonly unsteadyFiles?: readonly string[];
  /** The time of each file that has a process of its own. */
  readonly files: readonly FileDuration[];
}

/** Runs test files of tiers that share their settings, after compileTests, and prints what fails. */
export function runTiers(
  tiers: readonly [Tier, ...Tier[]],
  files: readonly string[],
  env: NodeJS.ProcessEnv,
  concurrency = concurrencyOf(tiers[0]),
): TierResult {
  const [tier] = tiers;
  const folder = createFolder(env);
  const times = join(folder, "times");
  const report = join(folder, "report.tap");
  const failures = join(folder, "failures");
  for (const path of [times, failures]) writeFileSync(path, "");
  const start = performance.now();
  const { status } = spawnSync(
    process.execPath,
    [
      "--enable-source-maps",
      ...testProcess(compiled("scripts/test-process.ts")),
      compiled("scripts/run-files.ts"),
      String(concurrency),
      String(tier.fileSeconds * 1000),
      report,
      failures,
      ...longestFirst(tiers.flatMap((each) => programsOf(each, filesOf(each, files), folder))),
    ],
    { stdio: "inherit", env: { ...env, ...tierEnvironment(tier, folder), PARLANCE_TEST_TIMES: times } },
  );
  const seconds = (performance.now() - start) / 1000;
  const failed = new Set(linesOf(failures).map((file) => sourceOf(relative(process.cwd(), file))));
  const durations = linesOf(times).map(readTime);
  const result: TierResult = {
    tiers,
    passed: status === 0,
    seconds,
    cpuSeconds: durations.reduce((sum, duration) => sum + duration.cpuSeconds, 0),
    counts: countsOf(readFileSync(report, "utf8")),
    failedFiles: files.filter((file) => failed.has(file)),
    // Processes that several files share are left out.
    files: durations.filter(({ file }) => files.includes(file)),
  };
  rmSync(folder, { recursive: true, force: true });
  keepDurations(result.files);
  return result;
}

/** Runs the sources again whenever a file, or something that it imports, changes. Ends with Ctrl-C. */
export function watchTier(tier: Tier, files: readonly string[], env: NodeJS.ProcessEnv): number {
  const folder = createFolder(env);
  const { status } = spawnSync(process.execPath, [...watchArguments(tier), ...files], {
    stdio: "inherit",
    env: { ...env, ...tierEnvironment(tier, folder) },
  });
  rmSync(folder, { recursive: true, force: true });
  return status ?? 1;
}

/** What to run, one process each: test files, and files that load several test files. */
function programsOf(tier: Tier, files: readonly string[], folder: string): Program[] {
  const isSeparate = (file: string): boolean => tier.separate.some((pattern) => pattern.test(file));
  const sharing = files.filter((file) => !isSeparate(file));
  const separate = files.filter(isSeparate).map((file) => ({ path: compiled(file), files: [file] }));
  return [...separate, ...writeGroups(tier, folder, sharing)];
}

function writeGroups(tier: Tier, folder: string, files: readonly string[]): Program[] {
  const count = Math.min(files.length, tier.sharedProcesses);
  return Array.from({ length: count }, (_, group) => {
    const path = join(folder, `${tier.name}-${group + 1}.test.mjs`);
    const members = files.filter((_, index) => index % count === group);
    writeFileSync(
      path,
      members.map((file) => `await import(${JSON.stringify(pathToFileURL(compiled(file)).href)});\n`).join(""),
    );
    return { path, files: members };
  });
}

function watchArguments(tier: Tier): string[] {
  return [
    ...fromSource,
    ...testProcess("scripts/test-process.ts"),
    "--test",
    "--watch",
    `--test-concurrency=${concurrencyOf(tier)}`,
    `--test-timeout=${tier.fileSeconds * 1000}`,
  ];
}

function testProcess(file: string): string[] {
  return ["--import", pathToFileURL(file).href];
}

function concurrencyOf(tier: Tier): number {
  // Each may load gigabytes. A third one uses the cores while others wait for speech to be played, or for a timeout.
  if (tier.needsModels) return totalmem() >= MEMORY_FOR_THREE ? 3 : 2;
  // Tests wait, most of all for databases and sockets: more of them than there are cores keep these busy.
  return Math.max(2, Math.min(availableParallelism() + (tier.needsPostgres ? 2 : 1), 8));
}

/** For all temporary files of the tier. */
function createFolder(env: NodeJS.ProcessEnv): string {
  const folder = mkdtempSync(join(temporaryRoot(env), "parlance-test-"));
  // PostgreSQL has its data below, and does not run as root.
  chmodSync(folder, 0o755);
  return folder;
}

/** Tiers that must not need models find none, and cannot fetch any. */
function tierEnvironment(tier: Tier, folder: string): NodeJS.ProcessEnv {
  return {
    TMPDIR: folder,
    PARLANCE_TEST_SECONDS: String(tier.testSeconds),
    ...(!tier.needsModels && {
      PARLANCE_MODELS: join(folder, "no-models"),
      npm_config_registry: "http://127.0.0.1:1/",
    }),
  };
}

function linesOf(path: string): string[] {
  return readFileSync(path, "utf8").split("\n").filter(Boolean);
}

function readTime(line: string): FileDuration {
  const [milliseconds = "0", cpuMilliseconds = "0", ...file] = line.split(" ");
  return { file: file.join(" "), seconds: Number(milliseconds) / 1000, cpuSeconds: Number(cpuMilliseconds) / 1000 };
}
