import assert from "node:assert/strict";
import { it, type TestContext } from "node:test";
import { hash } from "@node-rs/argon2";
import { type NewDatabase, onEachDatabase } from "../../testing/databases.ts";
import { createAccounts } from "./accounts.ts";
import { createPasswordProof } from "./password-proof.ts";
import { createPasswords } from "./passwords.ts";
import { createSessions, IDLE_MS, MAX_AGE_MS } from "./sessions.ts";
import { createSignIn } from "./sign-in.ts";
import { createSignInThrottle } from "./sign-in-throttle.ts";

const origin = { address: "192.0.2.1", userAgent: "test\r\nset-cookie: x" };
const password = "correct horse";

async function setUp(context: TestContext, newDatabase: NewDatabase) {
  const store = await (await newDatabase(context)).open();
  let time = Date.parse("2026-05-01T12:00:00Z");
  const now = () => time;
  const [passwords, sessions, throttle] = [
    createPasswords(),
    createSessions(store, now),
    createSignInThrottle(store, now),
  ];
  const accounts = createAccounts({ store, passwords, now });
  const signIn = createSignIn({ store, sessions, passwords, throttle, now });
  const ada = await accounts.create({
    email: "ada@example.org",
    nickname: "Ada",
    role: "member",
    plan: "pro",
    password,
  });
  const later = (milliseconds: number): void => {
    time += milliseconds;
  };
  return { store, sessions, throttle, accounts, signIn, ada, later };
}

onEachDatabase("signing in", (newDatabase) => {
  it("opens a session with the right password, however the address is written", async (context) => {
    const { signIn, sessions, store, ada } = await setUp(context, newDatabase);
    const { token, record } = await signIn.withPassword(" Ada@Example.ORG ", password, origin);
    assert.match(token, /^[\w-]{43}$/);
    const caller = await sessions.authenticate(token);
    assert.deepEqual([caller.userId, caller.keyId, caller.role, caller.plan], [ada.id, undefined, "member", "pro"]);
    assert.equal(record.userAgent, "test??set-cookie: x");
    assert.ok(!JSON.stringify(await store.sessions.listOf(ada.id)).includes(token), "only the hash is stored");
  });

  it("fails when the password is changed while it is verified", { timeout: 60_000 }, async (context) => {
    const { store, sessions, throttle, accounts, ada } = await setUp(context, newDatabase);
    const passwords = createPasswords();
    const changing = {
      ...passwords,
      async verify(...given: Parameters<typeof passwords.verify>) {
        const isRight = await passwords.verify(...given);
        await accounts.change(ada.id, { password: "another password" });
        return isRight;
      },
    };
    for (const isOutdated of [false, true]) {
      await accounts.change(ada.id, { password });
      const parts = { store, sessions, passwords: { ...changing, isOutdated: () => isOutdated }, throttle };
      const signIn = createSignIn(parts);
      await assert.rejects(signIn.withPassword("ada@example.org", password, origin), { code: "wrong_credentials" });
      assert.deepEqual(await sessions.list(ada.id), []);
      assert.equal(await accounts.isPassword(ada.id, "another password"), true);
    }
  });

  it("gives the same answer to a wrong password, an unknown address and an account without a password", async (context) => {
    const { signIn, accounts } = await setUp(context, newDatabase);
    await accounts.create({ email: "link@example.org", nickname: "L", role: "member", plan: "free" });
    const tries: readonly (readonly [string, string])[] = [
      ["ada@example.org", "wrong password"],
      ["nobody@example.org", password],
      ["link@example.org", ""],
      ["ada@example.org\u0000", password],
      ["' or 1=1 --", password],
      ["x".repeat(5000), password],
    ];
    for (const [email, attempt] of tries) {
      await assert.rejects(signIn.withPassword(email, attempt, origin), {
        code: "wrong_credentials",
        message: "Wrong e-mail address or password",
      });
    }
  });

  it("is delayed more and more for an account, until a success or for an hour", async (context) => {
    const { signIn, later } = await setUp(context, newDatabase);
    let tries = 0;
    const wrong = () => {
      tries += 1;
      return signIn.withPassword("ada@example.org", "wrong password", { ...origin, address: `192.0.2.${tries}` });
    };
    const outcome = () =>
      wrong().then(
        () => assert.fail("signed in"),
        (error: { code: string; retryAfterSeconds?: number }) => error.retryAfterSeconds ?? error.code,
      );
    for (let i = 0; i < 5; i += 1) assert.equal(await outcome(), "wrong_credentials");
    const waits: unknown[] = [];
    for (let i = 0; i < 8; i += 1) {
      const wait = await outcome();
      waits.push(wait);
      later(Number(wait) * 1000);
      assert.equal(await outcome(), "wrong_credentials");
    }
    assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 60, 60]);
    await assert.rejects(signIn.withPassword("ada@example.org", password, origin), { code: "too_many_attempts" });
    later(60_000);
    await signIn.withPassword("ada@example.org", password, origin);
    for (let i = 0; i < 5; i += 1) assert.equal(await outcome(), "wrong_credentials");
    assert.equal(await outcome(), 1);
    later(3_600_001);
    for (let i = 0; i < 5; i += 1) assert.equal(await outcome(), "wrong_credentials");
  });

  it("is delayed no longer when the clock is set back", async (context) => {
    const { throttle, later } = await setUp(context, newDatabase);
    const attempt = () => throttle.attempt("ada", "192.0.2.1");
    for (let i = 0; i < 5; i += 1) await attempt();
    await assert.rejects(attempt(), { code: "too_many_attempts" });
    later(-24 * 3_600_000);
    await attempt();
    await assert.rejects(attempt(), { code: "too_many_attempts" }, "the attempts are still counted");
  });

  it("is delayed for an address that tries many accounts, but not by successes", async (context) => {
    const { throttle } = await setUp(context, newDatabase);
    for (let i = 0; i < 40; i += 1) await (await throttle.attempt(`right ${i}`, "2001:db8::1")).succeeded();
    for (let i = 0; i < 20; i += 1) await throttle.attempt(`wrong ${i}`, `2001:db8::${i}`);
    await assert.rejects(
      throttle.attempt("next", "2001:db8:0:0:ffff::1"),
      { code: "too_many_attempts" },
      "same network",
    );
    await throttle.attempt("next", "2001:db8:0:1::1");
    await throttle.attempt("next", "192.0.2.7");
  });

  it("is delayed for an address whatever sign-ins to another account succeed meanwhile", async (context) => {
    const { throttle } = await setUp(context, newDatabase);
    const address = "192.0.2.9";
    let checked = 0;
    for (let i = 0; i < 90; i += 1) {
      const own = await throttle.attempt("own", address).catch(() => undefined);
      checked += await throttle.attempt(`guessed ${i}`, address).then(
        () => 1,
        () => 0,
      );
      await own?.succeeded();
    }
    assert.ok(checked <= 20, `${checked} of 90 guesses were checked`);
  });

  it("shares its count of failures with the proof of the password", async (context) => {
    const { throttle, accounts, signIn, ada } = await setUp(context, newDatabase);
    const proof = createPasswordProof({ accounts, throttle });
    const caller = { userId: ada.id, keyId: undefined, role: "member", plan: "pro" } as const;
    for (let i = 0; i < 5; i += 1) {
      await (i % 2 === 0
        ? assert.rejects(proof.require(caller, "wrong", `192.0.2.${i}`), { code: "invalid_value" })
        : assert.rejects(signIn.withPassword("ada@example.org", "wrong", origin), { code: "wrong_credentials" }));
    }
    await assert.rejects(proof.require(caller, password, "192.0.2.8"), { code: "too_many_attempts" });
    await assert.rejects(signIn.withPassword("ada@example.org", password, origin), { code: "too_many_attempts" });
  });

  it("counts attempts before it verifies them, so that concurrent attempts are limited too", async (context) => {
    const { throttle } = await setUp(context, newDatabase);
    const tries = Array.from({ length: 40 }, (_, i) =>
      throttle.attempt("ada@example.org", `192.0.2.${i}`).then(
        () => true,
        () => false,
      ),
    );
    const admitted = (await Promise.all(tries)).filter(Boolean).length;
    assert.ok(admitted >= 1 && admitted <= 5, `${admitted} were let in`);
  });

  it("rehashes a password that was hashed with other parameters", async (context) => {
    const { signIn, store, ada } = await setUp(context, newDatabase);
    const old = await hash(password, { memoryCost: 1024, timeCost: 1 });
    await store.users.setPasswordHash(ada.id, old, "2026-05-01T12:00:00.000Z");
    await signIn.withPassword("ada@example.org", password, origin);
    assert.match((await store.users.passwordHash(ada.id)) ?? "", /m=47104/);
    await signIn.withPassword("ada@example.org", password, origin);
  });

  it("with a link works once, for a day, and not after a newer link", async (context) => {
    const { signIn, sessions, accounts, ada, later } = await setUp(context, newDatabase);
    const replaced = await accounts.createLink(ada.id);
    const link = await accounts.createLink(ada.id);
    await assert.rejects(signIn.withLink(replaced.token, origin), { code: "invalid_link" });
    const { token } = await signIn.withLink(link.token, origin);
    assert.equal((await sessions.authenticate(token)).session.openedBy, "link");
    await assert.rejects(signIn.withLink(link.token, origin), { code: "invalid_link" });
    const old = await accounts.createLink(ada.id);
    later(24 * 3_600_000);
    await assert.rejects(signIn.withLink(old.token, origin), { code: "invalid_link" });
    await assert.rejects(signIn.withLink("' or 1=1 --\u0000", origin), { code: "invalid_link" });
  });

  it("is refused for a disabled account, with that reason only if the password is right", async (context) => {
    const { signIn, accounts, ada } = await setUp(context, newDatabase);
    const link = await accounts.createLink(ada.id);
    await accounts.change(ada.id, { disabled: true });
    await assert.rejects(signIn.withPassword("ada@example.org", "wrong one", origin), { code: "wrong_credentials" });
    await assert.rejects(signIn.withPassword("ada@example.org", password, origin), { code: "account_disabled" });
    await assert.rejects(signIn.withLink(link.token, origin), { code: "invalid_link" });
    await assert.rejects(accounts.createLink(ada.id), { code: "invalid_value" });
    await accounts.change(ada.id, { disabled: false });
    await signIn.withPassword("ada@example.org", password, origin);
  });
});

onEachDatabase("a session", (newDatabase) => {
  it("ends after a week without use, and after a month in any case", async (context) => {
    const { sessions, later, ada } = await setUp(context, newDatabase);
    const { token } = await sessions.open(ada.id, "password", origin);
    later(IDLE_MS - 1);
    await sessions.authenticate(token);
    for (let used = 0; used < MAX_AGE_MS - 2 * IDLE_MS; used += IDLE_MS / 2) {
      later(IDLE_MS / 2);
      await sessions.authenticate(token);
    }
    later(IDLE_MS);
    await assert.rejects(sessions.authenticate(token), { code: "invalid_session" });
    assert.deepEqual(await sessions.list(ada.id), []);
    const unused = await sessions.open(ada.id, "password", origin);
    later(IDLE_MS);
    await assert.rejects(sessions.authenticate(unused.token), { code: "invalid_session" });
  });

  it("is one of at most fifty, and malformed tokens are not looked up", async (context) => {
    const { sessions, later, ada } = await setUp(context, newDatabase);
    const first = await sessions.open(ada.id, "password", origin);
    for (let i = 0; i < 50; i += 1) {
      later(1);
      await sessions.open(ada.id, "password", origin);
    }
    assert.equal((await sessions.list(ada.id)).length, 50);
    await assert.rejects(sessions.authenticate(first.token), { code: "invalid_session" });
    for (const token of ["", "x", "\u0000".repeat(43), `${"a".repeat(42)}'`]) {
      await assert.rejects(sessions.authenticate(token), { code: "invalid_session" });
    }
  });
});
