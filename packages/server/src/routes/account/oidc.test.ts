import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { OIDC_CALLBACK_PATH, OIDC_START_PATH } from "@parlance/protocol";
import { asAdmin, callApi } from "../../testing/account-client.ts";
import { startOidcProvider, type TestOidcProvider } from "../../testing/oidc-provider.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";

const ADA = { sub: "ada-at-provider", email: "ada@example.org", verified: true };

/** Follows redirects with cookies by origin, as a browser does. */
function createBrowser() {
  const jars = new Map<string, Map<string, string>>();
  const jarOf = (url: URL) => {
    const jar = jars.get(url.origin) ?? new Map<string, string>();
    jars.set(url.origin, jar);
    return jar;
  };
  const step = async (url: URL): Promise<Response> => {
    const jar = jarOf(url);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, { headers: { cookie }, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";", 1);
      const [name = "", value = ""] = [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)];
      if (value === "" || /Max-Age=0|01 Jan 1970/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  };
  return {
    cookieFor: (url: string) => [...jarOf(new URL(url))].map(([name, value]) => `${name}=${value}`).join("; "),
    /** Opens an address, and follows until one that `stop` names or the end. Returns the last address. */
    async open(start: string, stop: (url: URL) => boolean = () => false): Promise<URL> {
      let url = new URL(start);
      for (let steps = 0; steps < 12; steps += 1) {
        if (stop(url)) return url;
        const response = await step(url);
        await response.arrayBuffer();
        const location = response.headers.get("location");
        if (location === null) return url;
        url = new URL(location, url);
        if (url.pathname === "/") return url;
      }
      assert.fail("too many redirects");
    },
  };
}

describe("the sign-in with an OpenID Connect provider", () => {
  let provider: TestOidcProvider;
  let server: TestServer;
  before(async () => {
    provider = await startOidcProvider(ADA);
    server = await startTestServer({
      config: {
        oidcIssuer: provider.issuer,
        oidcClientId: provider.clientId,
        oidcClientSecret: provider.clientSecret,
        oidcDomains: ["example.org"],
        oidcAutoCreate: "on",
      },
    });
    provider.register(server.url + OIDC_CALLBACK_PATH);
  });
  after(async () => {
    await server.close();
    await provider.close();
  });

  const signIn = async (browser = createBrowser()) => ({
    browser,
    end: await browser.open(server.url + OIDC_START_PATH),
  });
  const me = (browser: ReturnType<typeof createBrowser>) =>
    callApi(server, "GET", "/account", { cookie: browser.cookieFor(server.url) });

  it("is offered by the sign-in options", async () => {
    const { body } = await callApi(server, "GET", "/account/sign-in-options");
    assert.deepEqual(body.oidc, { name: "single sign-on", path: OIDC_START_PATH });
  });

  it("creates an account once, and finds it by issuer and subject after a new address", async () => {
    provider.person = ADA;
    const first = await signIn();
    assert.equal(first.end.href, `${server.url}/`);
    const { body, status } = await me(first.browser);
    assert.deepEqual(
      [status, body.email, body.role, body.plan, body.nickname],
      [200, ADA.email, "member", "free", "Ada L."],
    );
    provider.person = { ...ADA, email: "countess@example.org" };
    const again = await me((await signIn()).browser);
    assert.deepEqual([again.body._id, again.body.email], [body._id, ADA.email]);
  });

  it("lets the new account set a password, and is recorded", async () => {
    provider.person = ADA;
    const { browser } = await signIn();
    const cookie = browser.cookieFor(server.url);
    const set = await callApi(server, "POST", "/account/password", { cookie, body: { new_password: "correct horse" } });
    assert.equal(set.status, 204);
    const log = await asAdmin(server, "GET", "/admin/audit?action=sign-in&search=ada@");
    const [entry] = log.body.items as readonly { details: object }[];
    assert.deepEqual(entry?.details, { by: "oidc" });
  });

  it("links the account that has the verified address", async () => {
    const created = await asAdmin(server, "POST", "/admin/users", { email: "grace@example.org" });
    provider.person = { sub: "grace", email: "Grace@Example.org", verified: true };
    assert.equal((await me((await signIn()).browser)).body._id, created.body._id);
  });

  it("refuses an unverified address, another domain and a disabled account", async () => {
    provider.person = { sub: "mallory", email: "ada@example.org", verified: false };
    assert.equal((await signIn()).end.hash, "#/sign-in-failed/oidc_domain");
    provider.person = { sub: "eve", email: "eve@elsewhere.example", verified: true };
    assert.equal((await signIn()).end.hash, "#/sign-in-failed/oidc_domain");
    const disabled = await asAdmin(server, "POST", "/admin/users", { email: "gone@example.org" });
    await asAdmin(server, "PATCH", `/admin/users/${disabled.body._id}`, { disabled: true });
    provider.person = { sub: "gone", email: "gone@example.org", verified: true };
    assert.equal((await signIn()).end.hash, "#/sign-in-failed/account_disabled");
  });

  it("is bound to the browser that started it, and works once", async () => {
    provider.person = ADA;
    const browser = createBrowser();
    const callback = await browser.open(
      server.url + OIDC_START_PATH,
      ({ pathname }) => pathname === OIDC_CALLBACK_PATH,
    );
    const other = createBrowser();
    assert.equal((await other.open(callback.href)).hash, "#/sign-in-failed/oidc_failed", "without the cookie");
    await other.open(server.url + OIDC_START_PATH, ({ pathname }) => pathname === OIDC_CALLBACK_PATH);
    assert.equal((await other.open(callback.href)).hash, "#/sign-in-failed/oidc_failed", "with another cookie");
    assert.equal((await me(other)).status, 401);
    assert.equal((await browser.open(callback.href)).href, `${server.url}/`);
    assert.equal((await browser.open(callback.href)).hash, "#/sign-in-failed/oidc_failed", "a second time");
    const lines = server.log.filter((line) => line.includes("oidc.failed"));
    assert.ok(lines.length > 0);
    const code = callback.searchParams.get("code") ?? assert.fail("no code");
    for (const line of server.log) assert.ok(!line.includes(code) && !line.includes(provider.clientSecret));
  });
});

describe("a server without a provider", () => {
  it("offers none, and has no routes for it", async (context) => {
    const server = await startTestServer();
    context.after(() => server.close());
    assert.deepEqual((await callApi(server, "GET", "/account/sign-in-options")).body, { oidc: null });
    assert.equal((await callApi(server, "GET", OIDC_START_PATH)).status, 404);
  });

  it("says so when its provider cannot be reached", async (context) => {
    const config = { oidcIssuer: "http://127.0.0.1:9", oidcClientId: "x" };
    const server = await startTestServer({ config });
    context.after(() => server.close());
    const end = await createBrowser().open(server.url + OIDC_START_PATH);
    assert.equal(end.hash, "#/sign-in-failed/oidc_failed");
  });
});
