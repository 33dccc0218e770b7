import assert from "node:assert/strict";
import { test } from "node:test";
import { createJobClock } from "./job-report.ts";

test("time in which a worker waited for a core does not count as work", () => {
  const clock = createJobClock();
  clock.add({ from: 1000, to: 1100, busyMs: 30 });
  // Several threads may compute more than the time that passes.
  clock.add({ from: 1100, to: 1150, busyMs: 90 });
  clock.add({ from: 1150, to: 1160 });
  const { busyMs, work } = clock.report({ pid: 1, tries: 1, outcome: "done" });
  assert.equal(busyMs, 30 + 90 + 10);
  assert.deepEqual(work, { from: 1000, to: 1160 });
});
