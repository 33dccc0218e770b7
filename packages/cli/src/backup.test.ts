import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { installModels } from "./testing/models.ts";
import { runCli } from "./testing/run-cli.ts";
import { runInProcess } from "./testing/run-in-process.ts";
import { startServe } from "./testing/start-serve.ts";
import { listening } from "./testing/wait-for.ts";

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "parlance-backup-"));
  await installModels("piper-libritts");
});
after(() => rm(folder, { recursive: true, force: true }));

describe("parlance backup and restore", () => {
  it("copy the database while it is in use, and restore it when it is not", async () => {
    const data = join(folder, "other");
    const environment = { PARLANCE_DATA: data };
    // In a process of its own: this one would hold on to the file.
    const serve = startServe(data, { PARLANCE_KOKORO: "off" });
    await listening(serve);
    assert.match(serve.stderr(), /http:\/\/127\.0\.0\.1:\d+\/sign-in#[\w-]{43}/, "the first start prints a link");
    const file = join(folder, "backup.db");
    const made = await runCli(["backup", file], environment);
    assert.equal(made.code, 0, made.stderr);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal((await runCli(["backup", file], environment)).code, 1, "it is there already");
    await runCli(["users", "create", "late@example.org"], environment);
    const refused = await runCli(["restore", file], environment);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /^parlance: Nothing was restored: the database is in use: stop the server first\n$/);
    serve.process.kill("SIGTERM");
    await serve.ended;
    const restored = await runCli(["restore", file], environment);
    assert.equal(restored.code, 0, restored.stderr);
    assert.match(restored.stderr, /is kept: .*parlance\.db\.before-/);
    assert.doesNotMatch((await runCli(["users", "list"], environment)).stdout, /late@example/);
  });

  it("print what to use with PostgreSQL", async () => {
    const environment = { PARLANCE_DATABASE_URL: "postgres://u:secret@127.0.0.1:1/d" };
    for (const [command, tool] of [
      ["backup", /pg_dump/],
      ["restore", /pg_restore/],
    ] as const) {
      const { code, stderr } = await runInProcess([command, "file"], environment);
      assert.equal(code, 2);
      assert.match(stderr, tool);
      assert.doesNotMatch(stderr, /secret/);
    }
  });
});
