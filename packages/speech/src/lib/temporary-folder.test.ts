import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { inTemporaryFolder } from "./temporary-folder.ts";

test("the folder is removed with its files when the work ends, and when it fails", { timeout: 10_000 }, async (t) => {
  const parent = mkdtempSync(join(tmpdir(), "parlance-test-"));
  t.after(() => rmSync(parent, { recursive: true }));
  const work = async (path: string) => {
    writeFileSync(join(path, "file"), "");
    return path;
  };
  const path = await inTemporaryFolder("some-", parent, work);
  assert.equal(dirname(path), parent);
  assert.match(basename(path), /^some-/);
  const failed = inTemporaryFolder("some-", parent, async (folder) => {
    await work(folder);
    throw new Error("no");
  });
  await assert.rejects(failed, /no/);
  assert.deepEqual(readdirSync(parent), []);
});

test("its parent is created where it is missing", { timeout: 10_000 }, async (t) => {
  const data = mkdtempSync(join(tmpdir(), "parlance-test-"));
  t.after(() => rmSync(data, { recursive: true }));
  const parent = join(data, "work", "process");
  assert.equal(dirname(await inTemporaryFolder("some-", parent, async (folder) => folder)), parent);
});

test("it is in the system's temporary folder by default", { timeout: 10_000 }, async () => {
  const path = await inTemporaryFolder("parlance-test-", undefined, async (folder) => {
    assert.ok(existsSync(folder));
    return folder;
  });
  assert.equal(dirname(path), tmpdir());
  assert.ok(!existsSync(path));
});
