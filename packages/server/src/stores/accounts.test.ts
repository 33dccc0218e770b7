import assert from "node:assert/strict";
import { it } from "node:test";
import { onEachDatabase } from "../testing/databases.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import type { Migration } from "./migrations/migrate.ts";
import type { SessionRecord } from "./sessions.ts";
import { isTaken } from "./store-error.ts";
import type { UserRecord } from "./users.ts";

const at = "2026-01-01T00:00:00.000Z";
const later = "2026-01-02T00:00:00.000Z";

function user(n: number, rest: Partial<UserRecord> = {}): UserRecord {
  return {
    id: String(n).padStart(32, "0"),
    role: "member",
    plan: "free",
    nickname: `User ${n}`,
    email: `user${n}@example.org`,
    createdAt: `2026-01-01T00:00:00.${String(n).padStart(3, "0")}Z`,
    updatedAt: at,
    disabledAt: null,
    ...rest,
  };
}

onEachDatabase("accounts in the store", (newDatabase) => {
  it("are migrated from the first schema: users become members, the first admin is unlimited", async (context) => {
    const database = await newDatabase(context);
    const [first] = MIGRATIONS;
    assert.ok(first);
    const old: Migration = {
      name: first.name,
      up: async (db) => {
        await first.up(db);
        const row = (id: string, role: string, second: number) => ({
          id: id.repeat(32),
          role,
          nickname: id,
          email: null,
          created_at: `2025-01-01T00:00:0${second}.000Z`,
        });
        await db
          .insertInto("users")
          .values([row("c", "admin", 3), row("a", "user", 1), row("b", "admin", 2)])
          .execute();
      },
    };
    await (await database.open([old])).close();
    const store = await database.open();
    const users = await store.users.list({ offset: 0, limit: 10 });
    assert.deepEqual(
      users.map(({ nickname, role, plan, disabledAt }) => [nickname, role, plan, disabledAt]),
      [
        ["a", "member", "free", null],
        ["b", "admin", "unlimited", null],
        ["c", "admin", "free", null],
      ],
    );
    assert.equal(users[1]?.updatedAt, "2025-01-01T00:00:02.000Z");
  });

  it("are listed in pages and searched by substring, without wildcards", async (context) => {
    const store = await (await newDatabase(context)).open();
    for (let n = 1; n <= 5; n += 1) await store.users.insert(user(n));
    await store.users.insert(user(6, { nickname: "100% Öl_", email: null }));
    const found = async (search: string) =>
      (await store.users.list({ search, offset: 0, limit: 10 })).map(({ id }) => Number(id));
    assert.deepEqual(
      (await store.users.list({ offset: 2, limit: 2 })).map(({ id }) => Number(id)),
      [3, 4],
    );
    assert.equal(await store.users.count(), 6);
    assert.deepEqual(await found("USER"), [1, 2, 3, 4, 5]);
    assert.deepEqual(await found("user3@"), [3]);
    assert.deepEqual(await found("00000000000000000000000000000004"), [4]);
    assert.deepEqual(await found("%"), [6]);
    assert.deepEqual(await found("_"), [6]);
    assert.deepEqual(await found("Öl"), [6]);
    for (const nothing of ["!", "'", "\\", "user3' or '1'='1", "%' --"]) assert.deepEqual(await found(nothing), []);
    assert.equal(await store.users.count("user"), 5);
  });

  it("change field by field, keep addresses unique, and count active admins", async (context) => {
    const store = await (await newDatabase(context)).open();
    await store.users.insert(user(1, { role: "admin" }), "a hash");
    await store.users.insert(user(2, { role: "admin" }));
    await store.users.insert(user(3));
    assert.deepEqual(await store.users.withPassword([user(1).id, user(2).id]), [user(1).id]);
    assert.equal(await store.users.passwordHash(user(1).id), "a hash");
    assert.equal(await store.users.passwordHash(user(2).id), null);
    assert.equal(await store.users.countAdmins(), 2);
    assert.equal(await store.users.update(user(2).id, { disabledAt: later, plan: "pro" }, later), true);
    assert.deepEqual(await store.users.find(user(2).id), {
      ...user(2, { role: "admin" }),
      plan: "pro",
      disabledAt: later,
      updatedAt: later,
    });
    assert.equal(await store.users.countAdmins(), 1);
    assert.deepEqual(await store.users.disabledOf([user(1).id, user(2).id, "nobody"]), [user(2).id]);
    assert.deepEqual(await store.users.disabledOf([]), []);
    assert.equal(await store.users.update("nobody", { plan: "pro" }, later), false);
    await assert.rejects(store.users.update(user(3).id, { email: "user1@example.org" }, later), isTaken);
    assert.equal((await store.users.findByEmail("user1@example.org"))?.id, user(1).id);
  });
});

onEachDatabase("sessions in the store", (newDatabase) => {
  const session = (n: number, rest: Partial<SessionRecord> = {}): SessionRecord => ({
    id: `session ${n}`,
    userId: user(1).id,
    hash: `hash ${n}`,
    createdAt: `2026-01-01T00:00:0${n}.000Z`,
    lastSeenAt: at,
    expiresAt: later,
    address: "127.0.0.1",
    userAgent: "test",
    openedBy: "password",
    ...rest,
  });

  it("are found with their owner, touched when old, and deleted one by one or together", async (context) => {
    const store = await (await newDatabase(context)).open();
    await store.users.insert(user(1, { role: "admin", plan: "pro" }));
    await store.users.insert(user(2));
    for (const n of [1, 2, 3]) await store.sessions.insert(session(n));
    await store.sessions.insert(session(4, { userId: user(2).id, expiresAt: "2026-01-01T12:00:00.000Z" }));
    assert.deepEqual(await store.sessions.findOwned("hash 1"), {
      session: session(1),
      owner: { role: "admin", plan: "pro", disabledAt: null },
    });
    assert.equal(await store.sessions.findOwned("hash 5"), undefined);
    await store.sessions.touch("session 1", later, at);
    assert.equal((await store.sessions.findOwned("hash 1"))?.session.lastSeenAt, at);
    await store.sessions.touch("session 1", later, later);
    assert.equal((await store.sessions.findOwned("hash 1"))?.session.lastSeenAt, later);
    assert.equal(await store.sessions.delete(user(2).id, "session 1"), false, "a session of another account");
    assert.equal(await store.sessions.delete(user(1).id, "session 1"), true);
    await store.sessions.deleteEnded("2026-01-01T12:00:00.000Z", "2025-12-01T00:00:00.000Z");
    assert.deepEqual(await store.sessions.listOf(user(2).id), []);
    await store.sessions.deleteOf(user(1).id, "session 3");
    assert.deepEqual(await store.sessions.listOf(user(1).id), [session(3)]);
    await store.sessions.deleteOf(user(1).id);
    assert.deepEqual(await store.sessions.listOf(user(1).id), []);
  });
});

onEachDatabase("sign-in links and attempts in the store", (newDatabase) => {
  it("give a link to one of several concurrent takers, and to none when it has expired", async (context) => {
    const store = await (await newDatabase(context)).open();
    await store.users.insert(user(1));
    await store.signInLinks.insert({ hash: "h", userId: user(1).id, createdAt: at, expiresAt: later });
    assert.equal(await store.signInLinks.take("h", later), undefined, "expired to the moment");
    const taken = await Promise.all(Array.from({ length: 8 }, () => store.signInLinks.take("h", at)));
    assert.deepEqual(
      taken.filter((each) => each !== undefined),
      [user(1).id],
    );
    await store.signInLinks.insert({ hash: "i", userId: user(1).id, createdAt: at, expiresAt: later });
    await store.signInLinks.deleteOf(user(1).id);
    assert.equal(await store.signInLinks.take("i", at), undefined);
  });

  it("let one of several concurrent writers count an attempt", async (context) => {
    const { signInAttempts: attempts } = await (await newDatabase(context)).open();
    const one = { count: 1, lastAt: at, blockedUntil: at };
    const two = { count: 2, lastAt: later, blockedUntil: later };
    const inserted = await Promise.all([attempts.insert("s", one), attempts.insert("s", one)]);
    assert.deepEqual(inserted.toSorted(), [false, true]);
    const replaced = await Promise.all([attempts.replace("s", 1, two), attempts.replace("s", 1, two)]);
    assert.deepEqual(replaced.toSorted(), [false, true]);
    assert.deepEqual(await attempts.find("s"), two);
    await attempts.deleteOlderThan(later);
    assert.deepEqual(await attempts.find("s"), two);
    await attempts.delete("s");
    assert.equal(await attempts.find("s"), undefined);
  });
});
