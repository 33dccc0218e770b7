import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  accountRecord,
  apiKeyRecord,
  newAccountRecord,
  newApiKeyRecord,
  pageOf,
  sessionRecord,
  signInLinkRecord,
} from "@parlance/protocol";
import { asAdmin, callApi, cookieOf, PASSWORD, signedIn } from "../../testing/account-client.ts";
import { startTestServer, TEST_KEY, type TestServer } from "../../testing/test-server.ts";

const strict = { reportInput: true } as const;

describe("the account of the caller", { timeout: 600_000 }, () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  it("is returned for its key and for its session", async () => {
    const { id, cookie, answer } = await signedIn(server, "shown@example.org");
    const mine = await callApi(server, "GET", "/account", { cookie });
    assert.equal(mine.status, 200);
    assert.deepEqual(accountRecord.strict().parse(mine.body, strict), mine.body);
    assert.deepEqual(mine.body, answer.body, "signing in answers the same record");
    assert.deepEqual(
      [mine.body._id, mine.body.email, mine.body.role, mine.body.plan, mine.body.has_password],
      [id, "shown@example.org", "member", "free", true],
    );
    const admin = await asAdmin(server, "GET", "/account");
    assert.deepEqual([admin.body._id, admin.body.role, admin.body.plan], [server.adminId, "admin", "unlimited"]);
    const anonymous = await callApi(server, "GET", "/account");
    assert.deepEqual([anonymous.status, anonymous.code], [401, "missing_api_key"]);
    assert.equal(anonymous.headers.get("www-authenticate"), "Bearer");
  });

  it("changes its nickname freely, and its e-mail address only with the password", async () => {
    const { cookie } = await signedIn(server, "change@example.org");
    const patch = (body: unknown) => callApi(server, "PATCH", "/account", { cookie, body });
    assert.equal((await patch({ nickname: "  Ada L. " })).body.nickname, "Ada L.");
    const refused = await patch({ email: "new@example.org" });
    assert.deepEqual([refused.status, refused.code], [400, "invalid_value"]);
    assert.equal((await patch({ email: "new@example.org", current_password: "wrong one" })).status, 400);
    const changed = await patch({ email: "New@Example.org", current_password: PASSWORD });
    assert.equal(changed.body.email, "new@example.org");
    const wrong = await patch({ nickname: 5 });
    assert.equal(wrong.status, 422);
    assert.deepEqual(Object.values(wrong.body)[0], {
      loc: ["nickname"],
      type: "string_type",
      msg: "Expected a string",
      ctx: "got the number 5",
      in: "body",
    });
    assert.equal((await patch({ role: "admin", plan: "unlimited", disabled: true })).body.role, "member");
  });

  it("changes its password with the old one, continues in a new session and ends all others", async () => {
    const { cookie } = await signedIn(server, "password@example.org");
    const signIn = (password: string) =>
      callApi(server, "POST", "/account/sign-in", { body: { email: "password@example.org", password } });
    const other = cookieOf(await signIn(PASSWORD));
    const change = (body: unknown) => callApi(server, "POST", "/account/password", { cookie, body });
    assert.equal((await change({ new_password: "another password" })).status, 400);
    assert.equal((await change({ new_password: "another password", current_password: "guess" })).status, 400);
    assert.equal((await change({ new_password: "short", current_password: PASSWORD })).status, 400);
    assert.equal((await change({ current_password: PASSWORD })).status, 422);
    const changed = await change({ new_password: "another password", current_password: PASSWORD });
    assert.equal(changed.status, 204);
    for (const old of [cookie, other]) {
      assert.equal((await callApi(server, "GET", "/account", { cookie: old })).code, "invalid_session");
    }
    assert.equal((await callApi(server, "GET", "/account", { cookie: cookieOf(changed) })).status, 200);
    assert.equal((await signIn(PASSWORD)).code, "wrong_credentials");
    assert.equal((await signIn("another password")).status, 200);
  });

  it("sets a first password in a session that a link has opened, and by no key", async () => {
    const created = await asAdmin(server, "POST", "/admin/users", { email: "linked@example.org" });
    assert.deepEqual(newAccountRecord.strict().parse(created.body), created.body);
    assert.equal(created.body.has_password, false);
    const { url } = created.body.sign_in_link as { url: string };
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/sign-in#[\w-]{43}$/);
    const token = url.split("#")[1];
    const page = await fetch(url);
    assert.match(await page.text(), /<button/);
    assert.match(page.headers.get("content-security-policy") ?? "", /script-src 'self'/);
    assert.match(await (await fetch(`${server.url}/sign-in.js`)).text(), /location\.hash/);
    const answer = await callApi(server, "POST", "/account/sign-in-link", { body: { token } });
    assert.equal(answer.status, 200, "looking at the page has not used it up");
    const cookie = cookieOf(answer);
    const key = await callApi(server, "POST", "/account/keys", { cookie, body: { name: "key" } });
    const body = { new_password: "first password" };
    assert.equal(
      (await callApi(server, "POST", "/account/password", { key: String(key.body.secret), body })).status,
      400,
    );
    assert.equal((await callApi(server, "POST", "/account/password", { cookie, body })).status, 204);
    const again = await callApi(server, "POST", "/account/sign-in-link", { body: { token } });
    assert.deepEqual([again.status, again.code], [401, "invalid_link"]);
  });

  it("lists its sessions and ends them one by one or all others", async () => {
    const { cookie } = await signedIn(server, "sessions@example.org");
    const more = async () =>
      cookieOf(
        await callApi(server, "POST", "/account/sign-in", {
          body: { email: "sessions@example.org", password: PASSWORD },
        }),
      );
    const [second, third] = [await more(), await more()];
    const list = async () => {
      const response = await fetch(`${server.url}/account/sessions`, { headers: { cookie } });
      return (await response.json()) as { _id: string; current: boolean }[];
    };
    const sessions = await list();
    assert.equal(sessions.length, 3);
    for (const session of sessions) assert.deepEqual(sessionRecord.strict().parse(session), session);
    assert.equal(sessions.filter(({ current }) => current).length, 1);
    const otherUser = await signedIn(server, "other@example.org");
    const [target] = sessions.filter(({ current }) => !current);
    const path = `/account/sessions/${target?._id}`;
    assert.equal((await callApi(server, "DELETE", path, { cookie: otherUser.cookie })).code, "unknown_session");
    assert.equal((await callApi(server, "DELETE", path, { cookie })).status, 204);
    assert.equal((await callApi(server, "DELETE", path, { cookie })).code, "unknown_session");
    const left = await Promise.all([second, third].map((each) => callApi(server, "GET", "/account", { cookie: each })));
    assert.deepEqual(left.map(({ status }) => status).toSorted(), [200, 401]);
    assert.equal((await callApi(server, "DELETE", "/account/sessions", { cookie })).status, 204);
    assert.equal((await list()).length, 1);
    const out = await callApi(server, "POST", "/account/sign-out", { cookie });
    assert.equal(out.status, 204);
    assert.match(out.headers.getSetCookie().join(), /parlance_session=; Path=\/; Max-Age=0/);
    assert.equal((await callApi(server, "GET", "/account", { cookie })).status, 401);
    assert.equal((await callApi(server, "POST", "/account/sign-out")).status, 204, "without a session");
  });

  it("creates keys, shows the secret once, renames and revokes them", async () => {
    const { cookie } = await signedIn(server, "keys@example.org");
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const created = await callApi(server, "POST", "/account/keys", { cookie, body: { name: "laptop", expires_at } });
    assert.equal(created.status, 201);
    assert.deepEqual(newApiKeyRecord.strict().parse(created.body), created.body);
    const { secret: given, ...record } = created.body;
    const secret = String(given);
    assert.match(secret, /^pl-[\w-]{43}$/);
    assert.equal(record.expires_at, expires_at);
    const list = async () => (await callApi(server, "GET", "/account/keys", { cookie })).body as unknown;
    assert.deepEqual(await list(), [record]);
    assert.ok(!JSON.stringify(await list()).includes(secret));
    const spoken = await server.post({ text: "a", format: "pcm" }, { headers: { authorization: `Bearer ${secret}` } });
    assert.equal(spoken.status, 200);
    await spoken.arrayBuffer();
    const [used] = (await list()) as { last_used_at: unknown }[];
    assert.equal(typeof used?.last_used_at, "string");

    const path = `/account/keys/${record._id}`;
    assert.equal((await callApi(server, "PATCH", path, { key: secret, body: { name: "phone" } })).body.name, "phone");
    assert.equal((await asAdmin(server, "PATCH", path, { name: "mine now" })).code, "forbidden");
    assert.equal((await asAdmin(server, "DELETE", path)).code, "forbidden");
    assert.equal((await callApi(server, "DELETE", path, { cookie })).status, 204);
    assert.equal((await callApi(server, "GET", "/account", { key: secret })).code, "revoked_api_key");
    const [revoked] = (await list()) as unknown[];
    assert.equal(typeof apiKeyRecord.parse(revoked).revoked_at, "string");
    for (const body of [
      { name: "old", expires_at: "2001-01-01T00:00:00Z" },
      { name: "odd", expires_at: "tomorrow" },
      { name: "x".repeat(101) },
      { name: "a\nb" },
    ]) {
      assert.equal((await callApi(server, "POST", "/account/keys", { cookie, body })).code, "invalid_value");
    }
    for (const body of [{}, { name: "" }, { name: null }, { name: 5 }, []]) {
      assert.equal((await callApi(server, "POST", "/account/keys", { cookie, body })).status, 422);
    }
  });

  it("can synthesize with its session too", async () => {
    const { cookie } = await signedIn(server, "speaks@example.org");
    const speak = (headers: Record<string, string>) =>
      server.post({ text: "a", format: "pcm" }, { headers: { authorization: undefined, cookie, ...headers } });
    const response = await speak({ "sec-fetch-site": "same-origin" });
    assert.equal(response.status, 200);
    await response.arrayBuffer();
    const refused = await speak({ "sec-fetch-site": "cross-site" });
    assert.deepEqual([refused.status, refused.headers.get("x-error-code")], [403, "cross_site"]);
    await refused.arrayBuffer();
  });
});

describe("all accounts", { timeout: 600_000 }, () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  it("are for admins, by key or by session", async () => {
    const member = await signedIn(server, "member@example.org");
    const admin = await signedIn(server, "admin@example.org", "admin");
    const calls: readonly (readonly [string, string])[] = [
      ["GET", "/admin/users"],
      ["POST", "/admin/users"],
      ["GET", `/admin/users/${member.id}`],
      ["PATCH", `/admin/users/${member.id}`],
      ["POST", `/admin/users/${member.id}/link`],
    ];
    for (const [method, path] of calls) {
      const body = method === "GET" ? undefined : {};
      const refused = await callApi(server, method, path, { cookie: member.cookie, body });
      assert.deepEqual([refused.status, refused.code], [403, "admin_only"], path);
      assert.equal((await callApi(server, method, path, { body })).status, 401, path);
      assert.ok(
        ![401, 403].includes((await callApi(server, method, path, { cookie: admin.cookie, body })).status),
        path,
      );
    }
  });

  it("are listed in pages with a search", async () => {
    for (let i = 0; i < 12; i += 1) {
      assert.equal((await asAdmin(server, "POST", "/admin/users", { email: `list${i}@example.org` })).status, 201);
    }
    const page = async (query: string) => {
      const { body } = await asAdmin(server, "GET", `/admin/users?${query}`);
      return pageOf(accountRecord.strict()).parse(body);
    };
    const first = await page("search=LIST");
    assert.deepEqual([first.total, first.items.length, first.has_more], [12, 10, true]);
    const second = await page("search=list&page_number=2");
    assert.deepEqual([second.items.length, second.has_more], [2, false]);
    assert.equal(new Set([...first.items, ...second.items].map((user) => user._id)).size, 12);
    for (const query of ["page_size=0", "page_size=101", "page_number=0", "page_size=x", "page_size=1&page_size=2"]) {
      const refused = await asAdmin(server, "GET", `/admin/users?${query}`);
      assert.equal(refused.status, 422, query);
      assert.match(JSON.stringify(refused.body), /"in":"query"/);
    }
  });

  it("are created with a password or a link, changed, disabled and enabled again", async () => {
    const made = await asAdmin(server, "POST", "/admin/users", {
      email: "Made@Example.org",
      password: PASSWORD,
      plan: "plus",
    });
    assert.deepEqual(
      [made.body.email, made.body.nickname, made.body.plan, made.body.role, made.body.sign_in_link],
      ["made@example.org", "made", "plus", "member", null],
    );
    const taken = await asAdmin(server, "POST", "/admin/users", { email: "made@example.ORG" });
    assert.deepEqual([taken.status, taken.code], [400, "email_taken"]);
    const path = `/admin/users/${made.body._id}`;
    const signIn = () =>
      callApi(server, "POST", "/account/sign-in", { body: { email: "made@example.org", password: PASSWORD } });
    const cookie = cookieOf(await signIn());
    const disabled = await asAdmin(server, "PATCH", path, { disabled: true });
    assert.equal(typeof disabled.body.disabled_at, "string");
    assert.equal((await callApi(server, "GET", "/account", { cookie })).status, 401);
    assert.equal((await signIn()).code, "account_disabled");
    const enabled = await asAdmin(server, "PATCH", path, { disabled: false, role: "admin", plan: "pro" });
    assert.deepEqual([enabled.body.disabled_at, enabled.body.role, enabled.body.plan], [null, "admin", "pro"]);
    assert.equal((await signIn()).status, 200);
    const link = await asAdmin(server, "POST", `${path}/link`, {});
    assert.equal(link.status, 201);
    assert.deepEqual(signInLinkRecord.strict().parse(link.body), link.body);
    const reset = await asAdmin(server, "PATCH", path, { password: "set by an admin" });
    assert.equal(reset.status, 200);
    assert.equal((await signIn()).code, "wrong_credentials");
    for (const body of [{ role: "root" }, { plan: "gold" }, { email: "nobody" }, { password: "short" }]) {
      assert.equal((await asAdmin(server, "PATCH", path, body)).code, "invalid_value");
    }
    assert.equal((await asAdmin(server, "PATCH", path, { disabled: "yes" })).status, 422);
    assert.equal((await asAdmin(server, "GET", `/admin/users/${"0".repeat(32)}`)).code, "unknown_user");
  });

  it("always include an active admin", async () => {
    const alone = await startTestServer();
    try {
      const path = `/admin/users/${alone.adminId}`;
      for (const body of [{ role: "member" }, { disabled: true }]) {
        const refused = await asAdmin(alone, "PATCH", path, body);
        assert.deepEqual([refused.status, refused.code], [400, "last_admin"]);
      }
      await asAdmin(alone, "POST", "/admin/users", { email: "second@example.org", role: "admin" });
      assert.equal((await asAdmin(alone, "PATCH", path, { disabled: true })).status, 200);
      assert.equal((await callApi(alone, "GET", "/account", { key: TEST_KEY })).code, "account_disabled");
    } finally {
      await alone.close();
    }
  });
});
