import type { TierResult } from "./run-tier.ts";
import { namesOf, type Tier } from "./tiers.ts";

/** More failures than this are not chance. */
export const MAX_FILES = 3;

/**
 * Runs failed files again, one at a time: on a busy CI machine, one of thousands of tests may fail by
 * chance. The summary names the files that pass the second time.
 */
export function runFailedAgain(
  results: readonly TierResult[],
  run: (tiers: readonly [Tier, ...Tier[]], files: readonly string[]) => TierResult,
): readonly TierResult[] {
  const failed = results.flatMap(({ failedFiles }) => failedFiles);
  if (failed.length > MAX_FILES) return results;
  return results.map((first) => {
    // Without the name of a file, the process that runs them has failed.
    if (first.passed || first.failedFiles.length === 0) return first;
    console.log(`\n${namesOf(first.tiers)}: ${first.failedFiles.length} files that failed run again`);
    const second = run(first.tiers, first.failedFiles);
    const time = {
      seconds: first.seconds + second.seconds,
      cpuSeconds: first.cpuSeconds + second.cpuSeconds,
    };
    if (!second.passed) return { ...first, ...time };
    const { counts } = first;
    return {
      ...first,
      passed: true,
      unsteadyFiles: first.failedFiles,
      ...time,
      counts: { ...counts, pass: counts.pass + counts.fail + counts.cancelled, fail: 0, cancelled: 0 },
    };
  });
}
