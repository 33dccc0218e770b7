import assert from "node:assert/strict";
import { existsSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { bootstrap, createKeys, openStore } from "@parlance/server";
import { type CliOptions, runCli, startCli } from "./testing/run-cli.ts";

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "parlance-records-"));
  const store = await openStore({ data: join(folder, "data"), databaseUrl: undefined });
  await bootstrap(store, "operator-chosen-key");
  await store.close();
});
after(() => rm(folder, { recursive: true, force: true }));

/** With the database of the test. */
async function parlance(args: readonly string[], options: CliOptions = {}) {
  const result = await runCli(args, { PARLANCE_DATA: join(folder, "data") }, options);
  assert.ok(!/\n\s+at /.test(result.stderr), result.stderr);
  return result;
}

async function done(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await parlance(args);
  assert.equal(code, 0, stderr);
  return stdout;
}

describe("parlance users", { timeout: 600_000 }, () => {
  it("creates, lists, changes, disables and enables accounts, beside whoever uses the database", async () => {
    const store = await openStore({ data: join(folder, "data"), databaseUrl: undefined });
    const link = await done("users", "create", "Ada@Example.org", "--plan", "pro");
    assert.match(link, /^http:\/\/127\.0\.0\.1:8080\/sign-in#[\w-]{43}\n$/);
    const user = async () => store.users.findByEmail("ada@example.org");
    assert.equal((await user())?.plan, "pro");
    assert.match(await done("users", "list"), /^EMAIL +NAME +ROLE +PLAN +STATE/);
    assert.match(await done("users", "list", "--search", "ada"), /ada@example\.org +ada +member +pro +active/);
    await done("users", "plan", "ada@example.org", "unlimited");
    await done("users", "role", "ada@example.org", "admin");
    await done("users", "disable", "ada@example.org");
    const disabled = await user();
    assert.deepEqual([disabled?.plan, disabled?.role, disabled?.disabledAt === null], ["unlimited", "admin", false]);
    await done("users", "enable", disabled?.id ?? "");
    assert.equal((await user())?.disabledAt, null);
    await done("users", "role", "ada@example.org", "member");
    const listed: { email: string }[] = JSON.parse(await done("users", "list", "--json"));
    assert.deepEqual(
      listed.map(({ email }) => email),
      [null, "ada@example.org"],
    );
    await store.close();
  });

  it("takes passwords from standard input and never from the command line", async () => {
    const { code, stderr } = await parlance(["users", "create", "bob@example.org", "--password"], {
      input: "correct horse\n",
    });
    assert.equal(code, 0, stderr);
    assert.equal((await parlance(["users", "passwd", "bob@example.org"], { input: "battery staple\n" })).code, 0);
    const short = await parlance(["users", "passwd", "bob@example.org"], { input: "short\n" });
    assert.equal(short.code, 2);
    assert.match(short.stderr, /password: the password is not allowed, it must have 8 to 512 characters/);
    assert.match((await parlance(["users", "passwd", "bob@example.org"])).stderr, /no password was given/);
  });

  it("makes links for the first admin too, and keeps the last one", async () => {
    assert.match(await done("users", "link"), /\/sign-in#/);
    const [admin]: { id: string }[] = JSON.parse(await done("users", "list", "--json"));
    for (const args of [
      ["users", "disable", admin?.id ?? ""],
      ["users", "role", admin?.id ?? "", "member"],
    ]) {
      const { code, stderr } = await parlance(args);
      assert.equal(code, 1);
      assert.match(stderr, /the last admin who can act/);
    }
    await done("users", "email", admin?.id ?? "", "root@example.org");
    assert.match(await done("users", "list"), /root@example\.org +admin +admin +unlimited/);
  });

  const slips: readonly (readonly [readonly string[], RegExp])[] = [
    [["users", "create", "nobody"], /email: "nobody" is not allowed, it must be an e-mail address/],
    [["users", "create", "x@y.z", "--plan", "gold"], /Allowed choices are free, plus, pro, unlimited/],
    [["users", "plan", "nobody@example.org", "pro"], /there is no user nobody@example\.org/],
    [["keys", "revoke", "x"], /there is no key with the id x/],
    [["keys", "create", "k", "--expires", "yesterday"], /--expires: "yesterday" is not allowed/],
    [["keys", "create", "a\u001b[31mb"], /name: .* is not allowed/],
  ];
  for (const [args, complaint] of slips) {
    it(`answers 2 and one clear line to: parlance ${JSON.stringify(args.join(" "))}`, async () => {
      const { code, stdout, stderr } = await parlance(args);
      assert.deepEqual([code, stdout], [2, ""], stderr);
      assert.match(stderr, complaint);
    });
  }

  it("makes no database where there is none", async () => {
    const empty = join(folder, "empty");
    const { code, stderr } = await runCli(["users", "list"], { PARLANCE_DATA: empty });
    assert.equal(code, 1);
    assert.match(stderr, /there is no database in .*empty: set PARLANCE_DATA, or start the service once/);
    assert.equal(existsSync(empty), false);
  });
});

describe("parlance keys", { timeout: 600_000 }, () => {
  it("creates a key that works, lists it without its secret, renames and revokes it", async () => {
    const secret = (await done("keys", "create", "build server", "--expires", "90d")).trim();
    assert.match(secret, /^pl-[\w-]{43}$/);
    const store = await openStore({ data: join(folder, "data"), databaseUrl: undefined });
    const keys = createKeys(store);
    const { keyId } = await keys.authenticate(`Bearer ${secret}`);
    const table = await done("keys", "list");
    assert.match(table, /build server +pl-[\w-]{6}… +works/);
    assert.ok(!table.includes(secret));
    const listed = await done("keys", "list", "--json");
    assert.doesNotMatch(listed, /hash/);
    await done("keys", "rename", keyId ?? "", "old build server");
    await done("keys", "revoke", keyId ?? "");
    assert.match(await done("keys", "list"), /old build server +pl-[\w-]{6}… +revoked/);
    await assert.rejects(keys.authenticate(`Bearer ${secret}`), { code: "revoked_api_key" });
    await store.close();
  });
});

describe("parlance backup and restore", { timeout: 600_000 }, () => {
  it("copy the database while it is in use, and put it back when it is not", async () => {
    const data = join(folder, "other");
    const environment = { PARLANCE_DATA: data };
    // In a process of its own: this one would hold on to the file.
    const serve = startCli(["serve", "--port", "0"], {
      ...environment,
      PARLANCE_WORKERS: "1",
      npm_config_registry: "http://127.0.0.1:1/",
    });
    while (!serve.stderr().includes("listens at")) {
      assert.equal(serve.process.exitCode, null, serve.stderr());
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
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

  it("say what to use with PostgreSQL", async () => {
    const environment = { PARLANCE_DATABASE_URL: "postgres://u:secret@127.0.0.1:1/d" };
    for (const [command, tool] of [
      ["backup", /pg_dump/],
      ["restore", /pg_restore/],
    ] as const) {
      const { code, stderr } = await runCli([command, "file"], environment);
      assert.equal(code, 2);
      assert.match(stderr, tool);
      assert.doesNotMatch(stderr, /secret/);
    }
  });
});
