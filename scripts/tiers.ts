/**
 * The four tiers of the test suite. A test file belongs to the last tier of this list of which it loads something, by its
 * imports and theirs, or in whose folders it lies. Everything else is a unit test.
 */
import { filesBelow } from "./files.ts";
import { loadedBy } from "./imports.ts";

export type TierName = "unit" | "server" | "engines" | "e2e";

export interface Tier {
  readonly name: TierName;
  /** Files and packages that only tests of this tier, or of a later one, load. */
  readonly loads: readonly RegExp[];
  readonly folders: readonly string[];
  readonly needsModels: boolean;
  readonly needsPostgres: boolean;
  /** How many processes the files share. Loading the server takes longer than many tests do. */
  readonly sharedProcesses: number;
  /** Files that have a process of their own nevertheless: they take long, change settings of their process, or end it. */
  readonly separate: readonly RegExp[];
  /** The deadline of one test, and of a file with all of its tests. */
  readonly testSeconds: number;
  readonly fileSeconds: number;
}

export const tiers: readonly Tier[] = [
  {
    name: "unit",
    loads: [],
    folders: [],
    needsModels: false,
    needsPostgres: false,
    // More than there are cores, so that one slow file does not keep the others waiting.
    sharedProcesses: 6,
    separate: [],
    testSeconds: 120,
    fileSeconds: 900,
  },
  {
    name: "server",
    // Databases, the server with the tone engine, and commands and decoders that run as processes.
    loads: [
      /^(pg|libsql|@libsql\/.*|@parlance\/server)$/,
      /\/stores\/(sqlite|postgres)\.ts$/,
      /\/testing\/run-cli\.ts$/,
      /\/audio\/decode\/decoder\.ts$/,
      /^tests\/support\/nats-server\.ts$/,
      /^bench\/server-handle\.ts$/,
    ],
    folders: [],
    needsModels: false,
    needsPostgres: true,
    sharedProcesses: 10,
    separate: [
      /-crash\.test\.ts$/,
      /\.properties\.test\.ts$/,
      /\/compose\/server\.test\.ts$/,
      /\/fish\/live\/fuzz\.test\.ts$/,
      /^packages\/(cli|speech)\//,
      /^tests\/(abuse|attacks|clock-jumps)\.test\.ts$/,
      /^tests\/cluster\//,
    ],
    testSeconds: 300,
    fileSeconds: 1200,
  },
  {
    name: "engines",
    loads: [/\/testing\/models\.ts$/, /^onnxruntime-node$/],
    folders: [],
    needsModels: true,
    needsPostgres: false,
    sharedProcesses: 4,
    separate: [
      /^packages\/cli\//,
      /^packages\/speech\/src\/(pool|recognition|synthesis|worker)\//,
      /^tests\/(docs\/commands|health|refined-voice|round-trip|voices)\.test\.ts$/,
    ],
    // Refinement of a voice has a low priority: beside other tests it takes minutes.
    testSeconds: 1200,
    fileSeconds: 1500,
  },
  {
    name: "e2e",
    // A browser, published clients, packed packages, reverse proxies.
    loads: [/^(playwright-core|fish-audio|fish-audio-sdk|@livekit\/.*)$/],
    folders: ["tests/clients/", "tests/dashboard/", "tests/deploy/", "tests/packages/", "tests/third-party/"],
    needsModels: true,
    needsPostgres: true,
    // The clients share a server with real engines.
    sharedProcesses: 1,
    separate: [/^tests\/(dashboard|deploy|packages)\//],
    testSeconds: 300,
    fileSeconds: 1500,
  },
];

/** All test files of the repository, in a steady order. */
export function testFiles(): string[] {
  return ["packages", "scripts", "tests"].flatMap((folder) => filesBelow(folder, ".test.ts"));
}

export function namesOf(tiers: readonly Tier[]): string {
  return tiers.map(({ name }) => name).join(", ");
}

export function filesOf(tier: Tier, files: readonly string[]): string[] {
  return files.filter((file) => tierOf(file).name === tier.name);
}

/**
 * Tiers by the runs that they share, in their order. Those with real engines share one: while files of one tier wait for
 * a page, or for speech that is played, files of the other use the cores.
 */
export function sharedRuns(selected: readonly Tier[]): [Tier, ...Tier[]][] {
  const runs: [Tier, ...Tier[]][] = [];
  for (const tier of selected) {
    const before = runs.at(-1);
    if (tier.needsModels && before?.[0].needsModels) before.push(tier);
    else runs.push([tier]);
  }
  return runs;
}

const found = new Map<string, Tier>();

/** Each file, and what it imports, is read once. */
export function tierOf(file: string): Tier {
  const tier = found.get(file) ?? findTier(file);
  found.set(file, tier);
  return tier;
}

function findTier(file: string): Tier {
  const loaded = [...loadedBy(file)];
  const belongs = (tier: Tier): boolean =>
    tier.folders.some((folder) => file.startsWith(folder)) ||
    tier.loads.some((pattern) => loaded.some((name) => pattern.test(name)));
  const [unit] = tiers;
  const tier = tiers.findLast(belongs) ?? unit;
  if (tier === undefined) throw new Error("there are no tiers");
  return tier;
}
