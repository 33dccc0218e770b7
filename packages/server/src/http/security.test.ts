import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { after, before, describe, it } from "node:test";
import { WebSocket } from "ws";
import { bootstrap } from "../services/identity/bootstrap.ts";
import { asAdmin, callApi, cookieOf, PASSWORD, signedIn } from "../testing/account-client.ts";
import { onEachDatabase } from "../testing/databases.ts";
import { startTestServer, TEST_KEY, type TestServer } from "../testing/test-server.ts";

/** Injection attempts: SQL, markup, paths, templates. */
const ATTEMPTS: readonly string[] = [
  "' or '1'='1",
  "'; drop table users; --",
  "1) union select password_hash from users --",
  "%27%20or%201%3D1",
  "\u0000",
  "a\u0000b@example.org",
  "a\r\nset-cookie: x=y",
  "a%0d%0aset-cookie:%20x=y",
  "../../etc/passwd",
  "..%2f..%2fparlance.db",
  "#{7*7}",
  "{{7*7}}",
  "<script>alert(1)</script>",
  "__proto__",
  "\ud800",
  "\u202egro.elpmaxe@ada",
  "x".repeat(10_000),
];

onEachDatabase("attempts at injection", (newDatabase) => {
  it("are treated as text everywhere, without an error or the data of others", async (context) => {
    const store = await (await newDatabase(context)).open();
    const server = await startTestServer({ parts: { store } });
    context.after(() => server.close());
    await bootstrap(store, TEST_KEY);
    const victim = await signedIn(server, "victim@example.org");
    const { cookie } = await signedIn(server, "eve@example.org");
    const before = (await asAdmin(server, "GET", "/admin/users")).body;

    const refused = new Set([400, 401, 403, 404, 414, 422]);
    for (const attempt of ATTEMPTS) {
      const encoded = encodeURIComponent(/\p{Cs}/u.test(attempt) ? "%ff" : attempt);
      const calls: readonly (readonly [string, string, unknown?])[] = [
        ["POST", "/account/sign-in", { email: attempt, password: attempt }],
        ["POST", "/account/sign-in-link", { token: attempt }],
        ["POST", "/admin/users", { email: attempt }],
        ["POST", "/admin/users", { email: `${attempt}@example.org`, nickname: attempt, role: attempt, plan: attempt }],
        ["PATCH", "/account", { email: attempt, current_password: attempt }],
        ["POST", "/account/password", { new_password: "long enough", current_password: attempt }],
        ["PATCH", `/account/keys/${encoded}`, { name: "x" }],
        ["DELETE", `/account/keys/${encoded}`],
        ["DELETE", `/account/sessions/${encoded}`],
        ["PATCH", `/admin/users/${encoded}`, { role: "admin" }],
        ["POST", `/admin/users/${encoded}/link`, {}],
        ["GET", `/admin/users/${encoded}`],
      ];
      for (const [method, path, body] of calls) {
        for (const who of [{ cookie }, { key: TEST_KEY }]) {
          const answer = await callApi(server, method, path, { ...who, body });
          const what = `${method} ${path.slice(0, 80)} ${JSON.stringify(body)?.slice(0, 80)}`;
          // Throttled is refused as well: all of these come from one address.
          assert.ok(refused.has(answer.status) || answer.status === 429, `${answer.status} for ${what}`);
          assert.equal(answer.headers.get("set-cookie"), null, what);
          assert.doesNotMatch(JSON.stringify(answer.body), /argon2id|SQLITE_|syntax error|\.[jt]s:\d/, what);
        }
      }
      const found = await asAdmin(server, "GET", `/admin/users?search=${encoded}`);
      assert.ok([200, 400].includes(found.status), `${found.status} for the search ${encoded.slice(0, 80)}`);
      if (found.status === 200) assert.equal(found.body.total, 0);
      if (!/^[\x20-\x7e]{1,8000}$/.test(attempt)) continue;
      const headers = { cookie: `parlance_session=${attempt}; __Host-parlance_session=${attempt}` };
      assert.equal((await callApi(server, "GET", "/account", { headers })).status, 401);
      assert.equal((await callApi(server, "GET", "/account", { headers: { authorization: attempt } })).status, 401);
      assert.equal((await callApi(server, "GET", "/account", { key: attempt })).status, 401);
    }
    assert.deepEqual((await asAdmin(server, "GET", "/admin/users")).body, before, "nothing was changed");
    assert.equal((await callApi(server, "GET", "/account", { cookie: victim.cookie })).status, 200);
  });

  it("that are valid names are kept unchanged", async (context) => {
    const store = await (await newDatabase(context)).open();
    const server = await startTestServer({ parts: { store } });
    context.after(() => server.close());
    await bootstrap(store, TEST_KEY);
    for (const name of ["Robert'); drop table users;--", "<b>O'Brien</b>", "{{y}} %s", "日本語 🎉", "__proto__"]) {
      const { body } = await asAdmin(server, "POST", "/account/keys", { name });
      assert.equal(body.name, name);
      const patched = await asAdmin(server, "PATCH", "/account", { nickname: name });
      assert.equal(patched.body.nickname, name);
    }
  });
});

describe("the session's cookie", { timeout: 600_000 }, () => {
  const body = { email: "ada@example.org", password: PASSWORD };

  it("cannot be used by scripts or other sites", async (context) => {
    const server = await startTestServer();
    context.after(() => server.close());
    const { answer } = await signedIn(server);
    assert.match(
      answer.headers.getSetCookie().join("\n"),
      /^parlance_session=[\w-]{43}; Path=\/; Expires=[^;]+ GMT; HttpOnly; SameSite=Strict$/,
    );
  });

  it("is secure with a public https address", async (context) => {
    for (const config of [{ publicUrl: "https://voice.example.org" }, { trustProxy: ["loopback"] }]) {
      const server = await startTestServer({ config });
      context.after(() => server.close());
      await asAdmin(server, "POST", "/admin/users", body);
      const headers = { "x-forwarded-proto": "https" };
      const answer = await callApi(server, "POST", "/account/sign-in", { body, headers });
      assert.match(
        answer.headers.getSetCookie().join("\n"),
        /^__Host-parlance_session=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict; Secure$/,
      );
      assert.equal((await callApi(server, "GET", "/account", { cookie: cookieOf(answer) })).status, 200);
      const planted = cookieOf(answer).replace("__Host-", "");
      const status = (await callApi(server, "GET", "/account", { cookie: planted })).status;
      assert.equal(status, config.publicUrl === undefined ? 200 : 401, "one that another host may have set");
    }
  });

  it("is secure only when a trusted proxy reports https", async (context) => {
    const server = await startTestServer();
    context.after(() => server.close());
    await asAdmin(server, "POST", "/admin/users", body);
    const headers = { "x-forwarded-proto": "https", "x-forwarded-for": "203.0.113.9" };
    const answer = await callApi(server, "POST", "/account/sign-in", { body, headers });
    assert.match(answer.headers.getSetCookie().join(), /^parlance_session=/);
    const [session] = (await callApi(server, "GET", "/account/sessions", { cookie: cookieOf(answer) }))
      .body as unknown as [{ address: string }];
    assert.equal(session.address, "127.0.0.1");
  });

  it("is new after each sign-in: an earlier cookie is not valid", async (context) => {
    const server = await startTestServer();
    context.after(() => server.close());
    const attacker = await signedIn(server, "eve@example.org");
    await asAdmin(server, "POST", "/admin/users", body);
    for (const fixed of ["parlance_session=chosen-by-the-attacker", attacker.cookie]) {
      const answer = await callApi(server, "POST", "/account/sign-in", { body, cookie: fixed });
      assert.equal(answer.status, 200);
      assert.notEqual(cookieOf(answer), fixed);
      assert.equal((await callApi(server, "GET", "/account", { cookie: fixed })).status, 401);
    }
  });
});

describe("a request with a session's cookie", { timeout: 600_000 }, () => {
  let server: TestServer;
  let cookie: string;
  before(async () => {
    server = await startTestServer();
    ({ cookie } = await signedIn(server));
  });
  after(() => server.close());

  const host = () => new URL(server.url).host;
  const upgrade = async (headers: Record<string, string>): Promise<number | undefined> => {
    const socket = new WebSocket(`${server.url.replace("http", "ws")}/v1/tts/live`, { headers });
    const answer = Promise.race([once(socket, "upgrade"), once(socket, "unexpected-response").then(([, r]) => [r])]);
    socket.on("error", () => {});
    const [response] = (await answer) as [IncomingMessage];
    socket.terminate();
    return response.statusCode;
  };
  const cases: readonly (readonly [string, () => Record<string, string>, boolean])[] = [
    ["from our own page", () => ({ "sec-fetch-site": "same-origin" }), true],
    ["from our own page, in an old browser", () => ({ origin: `http://${host()}` }), true],
    ["from another site", () => ({ "sec-fetch-site": "cross-site", origin: `http://${host()}` }), false],
    ["from another host of the same site", () => ({ "sec-fetch-site": "same-site" }), false],
    ["typed in by hand", () => ({ "sec-fetch-site": "none" }), false],
    ["from another origin", () => ({ origin: "https://evil.example" }), false],
    ["from another port", () => ({ origin: "http://127.0.0.1:1" }), false],
    ["from a name that begins like ours", () => ({ origin: `http://${host()}.evil.example` }), false],
    ["from nowhere", () => ({ origin: "null" }), false],
    ["that says nothing about its origin", () => ({}), false],
  ];
  for (const [name, headers, allowed] of cases) {
    it(`${name} may${allowed ? "" : " not"} change anything, speak or open a socket`, async () => {
      const change = await callApi(server, "PATCH", "/account", {
        headers: { cookie, ...headers() },
        body: { nickname: "changed" },
      });
      assert.deepEqual([change.status, change.code], allowed ? [200, null] : [403, "cross_site"]);
      const spoken = await server.post(
        { text: "a", format: "pcm" },
        { headers: { authorization: undefined, cookie, ...headers() } },
      );
      await spoken.arrayBuffer();
      assert.equal(spoken.status, allowed ? 200 : 403);
      assert.equal(await upgrade({ cookie, ...headers() }), allowed ? 101 : 403);
      const out = await callApi(server, "POST", "/account/sign-out", {
        headers: { cookie, "sec-fetch-site": "cross-site" },
      });
      assert.equal(out.status, 403);
    });
  }

  it("may read from any origin, because only the browser sees the response", async () => {
    const answer = await callApi(server, "GET", "/account", { headers: { cookie, "sec-fetch-site": "cross-site" } });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get("access-control-allow-origin"), null);
    assert.equal(answer.headers.get("cache-control"), "no-store");
  });

  it("is identified by its key where it has one", async () => {
    const headers = { cookie, "sec-fetch-site": "cross-site" };
    const byKey = await callApi(server, "PATCH", "/account", { key: TEST_KEY, headers, body: { nickname: "root" } });
    assert.equal(byKey.body._id, server.adminId);
    assert.equal((await callApi(server, "GET", "/account", { key: "wrong-key-0123456789", headers })).status, 401);
  });

  it("cannot sign in from another site", async () => {
    const body = { email: "ada@example.org", password: PASSWORD };
    for (const headers of [{ "sec-fetch-site": "cross-site" }, { origin: "https://evil.example" }]) {
      assert.equal((await callApi(server, "POST", "/account/sign-in", { body, headers })).code, "cross_site");
      const token = { token: "x" };
      assert.equal(
        (await callApi(server, "POST", "/account/sign-in-link", { body: token, headers })).code,
        "cross_site",
      );
    }
    const form = await fetch(`${server.url}/account/sign-in`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "email=a&password=b",
    });
    assert.equal(form.status, 415);
  });
});

describe("sign-ins that fail", { timeout: 600_000 }, () => {
  it("are slowed down, with a time to retry", async (context) => {
    const server = await startTestServer();
    context.after(() => server.close());
    await signedIn(server);
    const body = { email: "ada@example.org", password: "wrong password" };
    for (let i = 0; i < 5; i += 1) {
      assert.equal((await callApi(server, "POST", "/account/sign-in", { body })).code, "wrong_credentials");
    }
    // To check a password may take longer than the first waits; each is twice as long as the one before.
    let refused = await callApi(server, "POST", "/account/sign-in", { body });
    for (let more = 0; more < 6 && refused.code === "wrong_credentials"; more += 1) {
      refused = await callApi(server, "POST", "/account/sign-in", { body });
    }
    assert.deepEqual([refused.status, refused.code], [429, "too_many_attempts"]);
    assert.match(refused.headers.get("retry-after") ?? "", /^([1-9]|[1-5]\d|60)$/);
    assert.doesNotMatch(server.log.join(), /wrong password|ada@example/, "nothing of it is logged");
  });
});
