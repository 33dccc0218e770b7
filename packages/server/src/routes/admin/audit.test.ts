import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { asAdmin, callApi, PASSWORD, signedIn } from "../../testing/account-client.ts";
import { createVoice } from "../../testing/create-voice.ts";
import { instantCloning } from "../../testing/instant-cloning.ts";
import { startTestServer, TEST_KEY, type TestServer } from "../../testing/test-server.ts";

interface Entry {
  readonly action: string;
  readonly actor: { readonly _id: string; readonly name: string } | null;
  readonly key_id: string | null;
  readonly address: string;
  readonly target: { readonly _id: string | null; readonly name: string } | null;
  readonly details: Readonly<Record<string, unknown>>;
}

describe("GET /admin/audit", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ parts: { cloning: instantCloning } });
  });
  after(() => server.close());

  const entries = async (query = ""): Promise<readonly Entry[]> =>
    (await asAdmin(server, "GET", `/admin/audit?page_size=100${query}`)).body.items as readonly Entry[];

  it("shows who did what, without secrets", async () => {
    const ada = await signedIn(server, "ada@example.org");
    const failed = { email: "ada@example.org", password: "wrong horse" };
    assert.equal((await callApi(server, "POST", "/account/sign-in", { body: failed })).status, 401);
    const typo = { email: "my-secret-password", password: "x" };
    assert.equal((await callApi(server, "POST", "/account/sign-in", { body: typo })).status, 401);
    const own = { cookie: ada.cookie };
    const limits = { concurrency: 2 };
    const key = await callApi(server, "POST", "/account/keys", { ...own, body: { name: "kiosk", limits } });
    await callApi(server, "PATCH", `/account/keys/${key.body._id}`, { ...own, body: { name: "hall" } });
    await callApi(server, "DELETE", `/account/keys/${key.body._id}`, own);
    await asAdmin(server, "PATCH", `/admin/users/${ada.id}`, { plan: "pro", password: "another secret" });
    await asAdmin(server, "POST", `/admin/users/${ada.id}/link`, {});
    const grant = { amount: 500, note: "conference", idempotency_key: "once" };
    for (let i = 0; i < 2; i += 1) await asAdmin(server, "POST", `/admin/wallet/${ada.id}/grants`, grant);
    await asAdmin(server, "PUT", "/admin/voice-aliases", { reference_id: "theirs", voice: "tone-one" });

    const all = await entries();
    const found = all.map(({ action, actor }) => `${action} ${actor?.name ?? "-"}`);
    const admin = all.find(({ action }) => action === "user.created")?.actor?.name;
    assert.deepEqual(found.toReversed().slice(1), [
      `user.created ${admin}`,
      "sign-in ada@example.org",
      "sign-in.failed ada@example.org",
      "sign-in.failed -",
      "key.created ada@example.org",
      "key.changed ada@example.org",
      "key.revoked ada@example.org",
      `user.changed ${admin}`,
      `user.link-created ${admin}`,
      `credits.granted ${admin}`,
      `alias.set ${admin}`,
    ]);
    const of = (action: string) => all.find((entry) => entry.action === action);
    assert.deepEqual(of("settings.changed")?.details.PARLANCE_ADMIN_KEY, "set");
    assert.deepEqual(of("user.changed")?.details, { plan: "pro", password: "changed" });
    assert.deepEqual(of("user.changed")?.target, { _id: ada.id, name: "ada@example.org" });
    assert.deepEqual(of("credits.granted")?.details, { amount: 500, note: "conference" });
    assert.deepEqual(of("key.revoked")?.target, { _id: key.body._id, name: "hall" });
    assert.deepEqual(of("key.created")?.details, { name: "kiosk", limits });
    assert.deepEqual(of("alias.set")?.target, { _id: null, name: "theirs" });
    assert.equal(of("sign-in.failed")?.address, "127.0.0.1");
    assert.match(of("user.created")?.key_id ?? "", /^[0-9a-f]{32}$/);
    const text = JSON.stringify(all);
    for (const secret of [PASSWORD, "another secret", "wrong horse", "my-secret", TEST_KEY, String(key.body.secret)]) {
      assert.ok(!text.includes(secret), secret);
    }
  });

  it("keeps the name of a voice that was deleted, in every dialect", async () => {
    for (const path of ["/model", "/v1/voices"]) {
      const { _id: id } = (await (await createVoice(server.url, TEST_KEY)).json()) as { readonly _id: string };
      const { status } = await asAdmin(server, "DELETE", `${path}/${id}`);
      assert.ok(status < 300, `${path}: ${status}`);
      const [deleted] = await entries("&action=voice.deleted");
      assert.deepEqual(deleted?.target, { _id: id, name: "A voice" });
    }
  });

  it("filters by action and pages, within bounds", async () => {
    assert.ok((await entries("&action=sign-in")).every(({ action }) => action === "sign-in"));
    for (const query of [
      "action=nothing",
      "page_size=101",
      "page_size=0",
      "since=yesterday",
      `search=${"x".repeat(101)}`,
    ]) {
      assert.equal((await asAdmin(server, "GET", `/admin/audit?${query}`)).status, 422, query);
    }
    const page = await asAdmin(server, "GET", "/admin/audit?page_size=1&page_number=2");
    assert.deepEqual([(page.body.items as unknown[]).length, page.body.has_more], [1, true]);
  });

  it("is for admins", async () => {
    const { cookie } = await signedIn(server, "member@example.org");
    assert.equal((await callApi(server, "GET", "/admin/audit", { cookie })).code, "admin_only");
  });
});
