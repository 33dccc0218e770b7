import assert from "node:assert/strict";
import { test } from "node:test";
import { closingLines, countsOf, sumOf } from "./test-counts.ts";

const tap = "ok 1 - a\n1..1\n# tests 12\n# suites 2\n# pass 9\n# fail 1\n# cancelled 0\n# skipped 2\n# todo 0\n";

test("counts are read from a TAP report, added up and written again", () => {
  const counts = countsOf(tap);
  assert.deepEqual([counts.tests, counts.pass, counts.fail, counts.skipped], [12, 9, 1, 2]);
  const lines = closingLines(sumOf([counts, counts]), 1234.4).split("\n");
  assert.deepEqual(lines, [
    ...["# tests 24", "# suites 4", "# pass 18", "# fail 2", "# cancelled 0", "# skipped 4", "# todo 0"],
    "# duration_ms 1234",
  ]);
});

test("a report that was cut off counts nothing", () => {
  assert.equal(countsOf("ok 1 - a\n").tests, 0);
});
