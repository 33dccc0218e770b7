import assert from "node:assert/strict";
import { test } from "node:test";
import { formatAgo, formatBytes, formatClock } from "./format.ts";

test("a clock shows minutes and seconds, and hours when there are any", () => {
  assert.deepEqual([0, 75.9, 3600, 3725].map(formatClock), ["0:00", "1:15", "1:00:00", "1:02:05"]);
  assert.equal(formatClock(-3), "0:00");
});

test("bytes are shown in the largest unit that fits", () => {
  assert.deepEqual([999, 1000, 2_500_000, 3e9].map(formatBytes), ["999 B", "1.0 kB", "2.5 MB", "3.0 GB"]);
});

test("times are shown relative to now, in the largest unit that fits", () => {
  const now = Date.parse("2026-05-10T12:00:00Z");
  assert.equal(formatAgo("2026-05-10T11:59:30Z", now), "just now");
  assert.match(formatAgo("2026-05-10T09:00:00Z", now), /3/);
  assert.match(formatAgo("2026-05-14T12:00:00Z", now), /4/);
  assert.notEqual(formatAgo("2026-05-10T09:00:00Z", now), formatAgo("2026-05-10T15:00:00Z", now));
});
