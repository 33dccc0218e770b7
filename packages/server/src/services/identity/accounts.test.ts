import assert from "node:assert/strict";
import { it, type TestContext } from "node:test";
import { type NewDatabase, onEachDatabase } from "../../testing/databases.ts";
import { until } from "../../testing/until.ts";
import { createAccounts, type NewAccount } from "./accounts.ts";
import { bootstrap } from "./bootstrap.ts";
import { createDisabledAccountWatcher } from "./disabled-account-watcher.ts";
import { createKeys } from "./keys.ts";
import { createPasswords } from "./passwords.ts";
import { createSessions } from "./sessions.ts";

const member: NewAccount = { email: "ada@example.org", nickname: "Ada", role: "member", plan: "free" };

async function setUp(context: TestContext, newDatabase: NewDatabase) {
  const database = await newDatabase(context);
  const store = await database.open();
  const passwords = createPasswords();
  const disabled: string[] = [];
  const accounts = createAccounts({ store, passwords, onDisabled: (id) => disabled.push(id) });
  return { database, store, accounts, disabled, keys: createKeys(store), sessions: createSessions(store) };
}

onEachDatabase("accounts", (newDatabase) => {
  it("have unique e-mail addresses", async (context) => {
    const { accounts } = await setUp(context, newDatabase);
    const ada = await accounts.create(member);
    await assert.rejects(accounts.create(member), { code: "email_taken" });
    const bob = await accounts.create({ ...member, email: "bob@example.org" });
    await assert.rejects(accounts.change(bob.id, { email: "ada@example.org" }), { code: "email_taken" });
    assert.equal((await accounts.change(bob.id, { email: "b@example.org", plan: "plus" })).plan, "plus");
    assert.equal((await accounts.search("ADA@example.org"))?.id, ada.id);
    assert.equal((await accounts.search(bob.id))?.email, "b@example.org");
    await assert.rejects(accounts.change("0".repeat(32), { plan: "pro" }), { code: "unknown_user" });
    assert.deepEqual((await accounts.list({ offset: 1, limit: 1 })).total, 2);
  });

  it("lose keys, sessions and links when disabled, and get the keys back when enabled", async (context) => {
    const { accounts, keys, sessions, disabled } = await setUp(context, newDatabase);
    const ada = await accounts.create(member);
    const { secret } = await keys.create(ada.id, "key");
    const { token } = await sessions.open(ada.id, "password", { address: "", userAgent: "" });
    await keys.authenticate(`Bearer ${secret}`);
    await sessions.authenticate(token);
    await accounts.change(ada.id, { disabled: true });
    assert.deepEqual(disabled, [ada.id]);
    await assert.rejects(keys.authenticate(`Bearer ${secret}`), { code: "account_disabled", status: 401 });
    await assert.rejects(sessions.authenticate(token), { code: "invalid_session" });
    await accounts.change(ada.id, { disabled: false });
    assert.equal((await keys.authenticate(`Bearer ${secret}`)).userId, ada.id);
    await assert.rejects(sessions.authenticate(token), { code: "invalid_session" });
  });

  it("have one password hashed at a time each", async (context) => {
    const { accounts } = await setUp(context, newDatabase);
    const [ada, bob] = [await accounts.create(member), await accounts.create({ ...member, email: "bob@example.org" })];
    const outcomeOf = (id: string, password: string) =>
      accounts.change(id, { password }).then(
        () => "changed",
        (error: { code?: string }) => error.code,
      );
    const many = Array.from({ length: 80 }, (_, index) => outcomeOf(ada.id, `password ${index}`));
    assert.equal(await outcomeOf(bob.id, "another password"), "changed");
    const outcomes = await Promise.all(many);
    assert.equal(outcomes.filter((outcome) => outcome === "changed").length, 2);
    assert.equal(outcomes.filter((outcome) => outcome === "overloaded").length, 78);
    assert.equal(await outcomeOf(ada.id, "the next one"), "changed");
  });

  it("keep only the session that changed the password", async (context) => {
    const { accounts, sessions } = await setUp(context, newDatabase);
    const ada = await accounts.create({ ...member, password: "first password" });
    const open = () => sessions.open(ada.id, "password", { address: "", userAgent: "" });
    const [kept, lost] = [await open(), await open()];
    await accounts.change(ada.id, { password: "second password" }, kept.record.id);
    await sessions.authenticate(kept.token);
    await assert.rejects(sessions.authenticate(lost.token), { code: "invalid_session" });
    assert.equal(await accounts.isPassword(ada.id, "first password"), false);
    assert.equal(await accounts.isPassword(ada.id, "second password"), true);
  });

  it("always keep one active admin, also when all are demoted at once", async (context) => {
    const { accounts, store } = await setUp(context, newDatabase);
    const admins = [];
    for (let i = 0; i < 4; i += 1) {
      admins.push(await accounts.create({ ...member, email: `admin${i}@example.org`, role: "admin" }));
    }
    const changes = [{ role: "member" }, { disabled: true }] as const;
    const outcomes = await Promise.all(
      admins.map(({ id }, i) =>
        accounts.change(id, changes[i % 2] ?? {}).then(
          () => "done",
          (error: { code: string }) => error.code,
        ),
      ),
    );
    assert.deepEqual(outcomes.toSorted(), ["done", "done", "done", "last_admin"]);
    assert.equal(await store.users.countAdmins(), 1);
    const [last] = (await accounts.list({ offset: 0, limit: 10 })).users.filter(
      ({ role, disabledAt }) => role === "admin" && disabledAt === null,
    );
    assert.ok(last);
    assert.equal((await accounts.change(last.id, { plan: "pro" })).plan, "pro", "anything else may change");
  });

  it("have their running requests aborted when another process disables them", async (context) => {
    const { accounts, database, store } = await setUp(context, newDatabase);
    const ada = await accounts.create(member);
    const bob = await accounts.create({ ...member, email: "bob@example.org" });
    const disabledAccounts = createDisabledAccountWatcher((await database.open()).users, { pollMs: 5 });
    context.after(() => disabledAccounts.close());
    const cut: string[] = [];
    const forget = disabledAccounts.watch(ada.id, () => cut.push("forgotten"));
    disabledAccounts.watch(ada.id, () => cut.push("ada"));
    disabledAccounts.watch(bob.id, () => cut.push("bob"));
    forget();
    await accounts.change(ada.id, { disabled: true });
    await until(() => cut.length > 0);
    assert.ok(cut.every((each) => each === "ada"));
    await store.ping();
  });
});

onEachDatabase("the first admin", (newDatabase) => {
  it("gets a link once, or the configured address and password, which later starts do not overwrite", async (context) => {
    const { store, accounts } = await setUp(context, newDatabase);
    const first = await bootstrap(store, undefined);
    assert.match(first.signInToken ?? "", /^[\w-]{43}$/);
    assert.deepEqual((await accounts.find(first.adminId)).plan, "unlimited");
    const second = await bootstrap(store, undefined, { password: "chosen password" });
    assert.deepEqual([second.adminId, second.signInToken], [first.adminId, undefined]);
    assert.equal((await accounts.find(first.adminId)).email, "admin@localhost");
    assert.equal(await accounts.isPassword(first.adminId, "chosen password"), true);
    await accounts.change(first.adminId, { password: "changed by hand", email: "me@example.org" });
    await bootstrap(store, undefined, { password: "chosen password", email: "other@example.org" });
    assert.equal(await accounts.isPassword(first.adminId, "changed by hand"), true);
    assert.equal((await accounts.find(first.adminId)).email, "me@example.org");
  });

  it("gets the configured address unless another account has it", async (context) => {
    const { store, accounts } = await setUp(context, newDatabase);
    await accounts.create(member);
    const { adminId, warnings, signInToken } = await bootstrap(store, undefined, {
      password: "chosen password",
      email: "ada@example.org",
    });
    assert.equal((await accounts.find(adminId)).email, null);
    assert.match(warnings.join(), /belongs to another account/);
    assert.equal(signInToken, undefined);
  });
});
