import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { bootstrap, createKeys, openStore } from "@parlance/server";
import { type CliOptions, runCli } from "./testing/run-cli.ts";
import { runInProcess } from "./testing/run-in-process.ts";

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "parlance-records-"));
  const store = await openStore({ data: join(folder, "data"), databaseUrl: undefined });
  await bootstrap(store, "operator-chosen-key");
  await store.close();
});
after(() => rm(folder, { recursive: true, force: true }));

/** Runs a command on the database of the test; as a process where it reads standard input. */
async function parlance(
  args: readonly string[],
  options?: CliOptions,
  settings: Readonly<Record<string, string>> = {},
) {
  const environment = { PARLANCE_DATA: join(folder, "data"), ...settings };
  const result = await (options === undefined ? runInProcess(args, environment) : runCli(args, environment, options));
  assert.ok(!/\n\s+at /.test(result.stderr), result.stderr);
  return result;
}

async function done(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await parlance(args);
  assert.equal(code, 0, stderr);
  return stdout;
}

describe("parlance users", () => {
  it("creates, lists, changes, disables and enables accounts while another process uses the database", async () => {
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
    assert.match(
      (await parlance(["users", "passwd", "bob@example.org"], { input: "" })).stderr,
      /no password was given/,
    );
  });

  it("makes links to the address of the server, unless the shell has another", async () => {
    const address = join(folder, "data", "address");
    await writeFile(address, "http://127.0.0.1:9123\n");
    const linkWith = async (settings: Readonly<Record<string, string>>) =>
      (await parlance(["users", "link"], undefined, settings)).stdout.split("/sign-in#")[0];
    assert.equal(await linkWith({}), "http://127.0.0.1:9123");
    assert.equal(await linkWith({ PARLANCE_PORT: "9124" }), "http://127.0.0.1:9124");
    assert.equal(await linkWith({ PARLANCE_PUBLIC_URL: "https://voice.example.org" }), "https://voice.example.org");
    await rm(address);
    assert.equal(await linkWith({}), "http://127.0.0.1:8080");
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

  const mistakes: readonly (readonly [readonly string[], RegExp])[] = [
    [["users", "create", "nobody"], /email: "nobody" is not allowed, it must be an e-mail address/],
    [["users", "create", "x@y.z", "--plan", "gold"], /Allowed choices are free, plus, pro, unlimited/],
    [["users", "plan", "nobody@example.org", "pro"], /there is no user nobody@example\.org/],
    [["keys", "revoke", "x"], /there is no key with the id x/],
    [["keys", "create", "k", "--expires", "yesterday"], /--expires: "yesterday" is not allowed/],
    [["keys", "create", "a\u001b[31mb"], /name: .* is not allowed/],
  ];
  for (const [args, message] of mistakes) {
    it(`exits with 2 and one line of explanation for: parlance ${JSON.stringify(args.join(" "))}`, async () => {
      const { code, stdout, stderr } = await parlance(args);
      assert.deepEqual([code, stdout], [2, ""], stderr);
      assert.match(stderr, message);
    });
  }

  it("makes no database where there is none", async () => {
    const empty = join(folder, "empty");
    const { code, stderr } = await runInProcess(["users", "list"], { PARLANCE_DATA: empty });
    assert.equal(code, 1);
    assert.match(stderr, /there is no database in .*empty: set PARLANCE_DATA, or start the service once/);
    assert.equal(existsSync(empty), false);
  });
});

describe("parlance keys", () => {
  it("creates a key that works, lists it without its secret, renames and revokes it", async () => {
    const secret = (await done("keys", "create", "build server", "--expires", "90d")).trim();
    assert.match(secret, /^pl-[\w-]{43}$/);
    const store = await openStore({ data: join(folder, "data"), databaseUrl: undefined });
    const keys = createKeys(store);
    const { keyId } = await keys.authenticate(`Bearer ${secret}`);
    const table = await done("keys", "list");
    assert.match(table, /build server +pl-[\w-]{6}… +active/);
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
