import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

test("a test that runs past its deadline ends its file and is named", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "parlance-deadline-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "hangs.test.mjs");
  const times = join(folder, "times");
  writeFileSync(
    file,
    `import { describe, it } from "node:test";
     describe("a suite", () => {
       it("ends", () => {});
       it("hangs", () => new Promise(() => setInterval(() => {}, 1000)));
     });`,
  );
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--import", "tsx", "--import", pathToFileURL("scripts/test-process.ts").href, file],
    { env: { ...process.env, PARLANCE_TEST_SECONDS: "1", PARLANCE_TEST_TIMES: times }, encoding: "utf8" },
  );
  assert.equal(status, 1);
  assert.match(stderr, /hangs\.test\.mjs: "(a suite > )?hangs" did not end within 1 seconds/);
  assert.match(readFileSync(times, "utf8"), /^\d+ \d+0 \S*hangs\.test\.mjs\n$/);
});
