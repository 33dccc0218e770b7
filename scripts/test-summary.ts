import type { TierResult } from "./run-tier.ts";
import { type Counts, closingLines, sumOf } from "./test-counts.ts";
import { namesOf } from "./tiers.ts";

const slowestFiles = 15;

/** Prints the time and the CPU time of each tier and of the slowest files, then the closing lines of node's test runner for all tiers. */
export function printSummary(results: readonly TierResult[]): Counts {
  const counts = sumOf(results.map((result) => result.counts));
  const seconds = results.reduce((sum, result) => sum + result.seconds, 0);
  const files = results.flatMap((result) => result.files).sort((a, b) => b.seconds - a.seconds);
  console.log("\nSlowest files: time, CPU time");
  for (const { file, seconds, cpuSeconds } of files.slice(0, slowestFiles)) {
    console.log(`${inSeconds(seconds)} ${inSeconds(cpuSeconds)}  ${file}`);
  }
  console.log("\nTiers: time, CPU time");
  for (const { tiers, seconds, cpuSeconds, passed, counts } of results) {
    console.log(
      `${inSeconds(seconds)} ${inSeconds(cpuSeconds)}  ${namesOf(tiers).padEnd(12)} ${passed ? "passed" : "FAILED"}, ${counts.tests} tests`,
    );
  }
  const unsteady = results.flatMap((result) => result.unsteadyFiles ?? []);
  if (unsteady.length > 0) console.log("\nFailed at first, passed when run alone: these tests need repair");
  for (const file of unsteady) console.log(`  ${file}`);
  console.log(`\n${closingLines(counts, seconds * 1000)}`);
  return counts;
}

function inSeconds(seconds: number): string {
  return `${seconds.toFixed(1)} s`.padStart(9);
}
