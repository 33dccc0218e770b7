import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { callApi } from "../../testing/account-client.ts";
import { addMember } from "../../testing/member.ts";
import { startTestServer, TEST_KEY, type TestServer } from "../../testing/test-server.ts";

describe("a key with limits of its own", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  const create = (body: object, key = TEST_KEY) => callApi(server, "POST", "/account/keys", { body, key });
  const change = (id: unknown, body: object, key = TEST_KEY) =>
    callApi(server, "PATCH", `/account/keys/${id}`, { body, key });
  const speak = (key: unknown, text: string) =>
    server.post({ text, format: "pcm" }, { headers: { authorization: `Bearer ${key}` } });

  it("is created with them, and they can be changed and removed", async () => {
    const limits = { requests_per_minute: 60, credits_per_day: 20_000 };
    const made = await create({ name: "kiosk", limits });
    assert.equal(made.status, 201);
    assert.deepEqual(made.body.limits, limits);
    assert.deepEqual(made.body.spent, { day: 0, month: 0, total: 0 });
    const changed = await change(made.body._id, { limits: { concurrency: 2, credits_total: null } });
    assert.deepEqual(changed.body.limits, { concurrency: 2 });
    const renamed = await change(made.body._id, { name: "hall" });
    assert.deepEqual([renamed.body.name, renamed.body.limits], ["hall", { concurrency: 2 }]);
    assert.equal((await change(made.body._id, { limits: null })).body.limits, null);
  });

  it("is refused with limits that are not allowed", async () => {
    for (const value of [0, -1, 1.5, 1e15]) {
      const refused = await create({ name: "x", limits: { credits_total: value } });
      assert.deepEqual([refused.status, refused.code], [400, "invalid_value"], String(value));
      assert.match(String(refused.body.message), /^limits\.credits_total: /);
    }
    assert.equal((await create({ name: "x", limits: { concurrency: "2" } })).status, 422);
  });

  it("cannot get around them by another key or by a change", async () => {
    const { body } = await create({ name: "narrow", limits: { concurrency: 1 } });
    const secret = String(body.secret);
    assert.equal((await create({ name: "wide" }, secret)).code, "key_limited");
    assert.equal((await change(body._id, { limits: null }, secret)).code, "key_limited");
    assert.equal((await change(body._id, { name: "still narrow" }, secret)).status, 200);
  });

  it("gets the 402 and the 429 of its own limits, and shows what it has spent", async () => {
    const member = await addMember(server);
    const own = { ...member.headers, "content-type": "application/json" };
    const made = await fetch(`${server.url}/account/keys`, {
      method: "POST",
      headers: own,
      body: JSON.stringify({ name: "kiosk", limits: { credits_per_day: 10, requests_per_minute: 3 } }),
    });
    const { _id: id, secret } = (await made.json()) as Record<string, unknown>;
    const first = await speak(secret, "12345678");
    assert.equal(first.status, 200);
    await first.arrayBuffer();
    const refused = await speak(secret, "123");
    assert.deepEqual([refused.status, refused.headers.get("x-error-code")], [402, "key_credit_limited"]);
    assert.match(await refused.text(), /own limit of 10 credits a day: this costs 3, 2 are left/);
    await (await speak(secret, "12")).arrayBuffer();
    const limited = await speak(secret, "1");
    assert.deepEqual([limited.status, limited.headers.get("x-error-code")], [429, "key_rate_limited"]);
    assert.match(limited.headers.get("retry-after") ?? "", /^\d+$/);
    await member.balances();
    const keys = (await (await member.get("/account/keys")).json()) as readonly Record<string, unknown>[];
    const shown = keys.find((key) => key._id === id);
    assert.deepEqual((shown?.spent as Record<string, unknown>)?.total, 10);
  });
});
