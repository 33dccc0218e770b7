import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { it } from "node:test";

const rows = readFileSync("docs/limits.md", "utf8")
  .split("## What bounds each resource", 2)[1]
  ?.split("\n## ", 1)[0]
  ?.split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| resource") && !line.startsWith("| ---"));

it("every bound of docs/limits.md names a test that exists", () => {
  const bounds = (rows ?? []).filter((row) => !row.startsWith("| **"));
  assert.ok(bounds.length > 30, `${bounds.length} bounds`);
  for (const row of bounds) {
    const tests = [...(row.split("|").at(-2) ?? "").matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path);
    assert.ok(tests.length > 0, `no test: ${row}`);
    for (const path of tests) assert.ok(existsSync(path), `${path} does not exist`);
  }
});
