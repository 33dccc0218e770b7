import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { MAX_FILES, runFailedAgain } from "./run-again.ts";
import type { TierResult } from "./run-tier.ts";
import { type Tier, tiers } from "./tiers.ts";

const [unit, server] = tiers as [Tier, Tier];
const counts = { tests: 5, suites: 1, pass: 5, fail: 0, cancelled: 0, skipped: 0, todo: 0 };

function result(tier: Tier, failedFiles: readonly string[] = []): TierResult {
  const fail = failedFiles.length;
  return {
    tiers: [tier],
    failedFiles,
    files: [],
    seconds: 1,
    cpuSeconds: 2,
    passed: fail === 0,
    counts: { ...counts, pass: counts.pass - fail, fail },
  };
}

describe("files that failed", () => {
  it("run again, and are named when they pass", () => {
    const runs: unknown[] = [];
    const [first, second] = runFailedAgain([result(unit), result(server, ["a.test.ts"])], ([tier], files) => {
      runs.push([tier.name, files]);
      return result(tier);
    });
    assert.deepEqual(runs, [["server", ["a.test.ts"]]]);
    assert.deepEqual(first, result(unit));
    assert.deepEqual([second?.passed, second?.unsteadyFiles, second?.counts], [true, ["a.test.ts"], counts]);
  });

  it("stay failed when they fail again", () => {
    const [first] = runFailedAgain([result(server, ["a.test.ts"])], ([tier], files) => result(tier, files));
    assert.deepEqual([first?.passed, first?.counts.fail, first?.unsteadyFiles], [false, 1, undefined]);
  });

  it("do not run again when there are many, or none is named", () => {
    const many = [
      result(
        server,
        Array.from({ length: MAX_FILES + 1 }, (_, index) => `${index}.test.ts`),
      ),
    ];
    const crashed = [{ ...result(server), passed: false }];
    for (const results of [many, crashed]) {
      assert.deepEqual(
        runFailedAgain(results, () => assert.fail("ran")),
        results,
      );
    }
  });
});
