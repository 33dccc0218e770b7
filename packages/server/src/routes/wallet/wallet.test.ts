import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { apiCredit, ledgerPage, packageRecord } from "@parlance/protocol";
import { addMember, type Member } from "../../testing/member.ts";
import { startTestServer, TEST_KEY, type TestServer } from "../../testing/test-server.ts";

describe("the wallet", () => {
  let server: TestServer;
  let ada: Member;
  let bob: Member;
  before(async () => {
    server = await startTestServer();
    ada = await addMember(server);
    bob = await addMember(server, "pro");
  });
  after(() => server.close());

  const asAdmin = (path: string, method = "GET", body?: unknown) =>
    fetch(server.url + path, {
      method,
      headers: {
        authorization: `Bearer ${TEST_KEY}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  it("returns the package with every field, by self, by the own id and without an id", async () => {
    const record = await json(ada.get("/wallet/self/package"));
    assert.deepEqual(Object.keys(record), Object.keys(packageRecord.shape).sort(byPlace(record)));
    assert.deepEqual(packageRecord.parse(record), record);
    const { _id, created_at, updated_at, finished_at, current_period_end, ...rest } = packageRecord.parse(record);
    assert.match(_id, /^[0-9a-f]{32}$/);
    for (const time of [created_at, updated_at, finished_at]) assert.ok(Date.parse(time) > 0 && time.endsWith("Z"));
    assert.equal(current_period_end, finished_at);
    assert.deepEqual(rest, {
      user_id: ada.id,
      type: "free",
      total: 100_000,
      balance: 100_000,
      provider_subscription_id: null,
      provider_price_id: null,
      billing_period: null,
      cancel_at_period_end: null,
      cancel_at: null,
      scheduled_change: null,
      last_synced_at: null,
      subscription_currency: null,
      extra_balance: 0,
      has_used_trial: false,
    });
    assert.deepEqual(await json(ada.get(`/wallet/${ada.id}/package`)), record);
    assert.deepEqual(await json(ada.get("/wallet/package")), record);
  });

  it("returns the prices of the operator", async (context) => {
    assert.deepEqual(await json(ada.get("/wallet/prices")), { text_byte: 1, transcribed_second: 7 });
    const other = await startTestServer({ config: { prices: { textByte: 0.5, transcribedSecond: 0 } } });
    context.after(() => other.close());
    const answer = await fetch(`${other.url}/wallet/prices`, { headers: { authorization: `Bearer ${TEST_KEY}` } });
    assert.deepEqual(await answer.json(), { text_byte: 0.5, transcribed_second: 0 });
  });

  it("returns the credit for older clients", async () => {
    const record = await json(ada.get("/wallet/self/api-credit?check_free_credit=true"));
    assert.deepEqual(apiCredit.parse(record), record);
    const { _id, created_at, updated_at, ...rest } = apiCredit.parse(record);
    assert.ok(_id && created_at && updated_at);
    assert.deepEqual(rest, {
      user_id: ada.id,
      credit: "100000",
      cumulative_top_up: "0",
      has_phone_sha256: false,
      has_free_credit: true,
    });
  });

  it("is for its owner and for admins", async () => {
    for (const what of ["package", "api-credit", "ledger"]) {
      assert.equal((await fetch(`${server.url}/wallet/self/${what}`)).status, 401);
      const refused = await ada.get(`/wallet/${bob.id}/${what}`);
      assert.equal(refused.status, 403);
      assert.deepEqual(Object.keys((await refused.json()) as object), ["status", "message"]);
      // The error does not show whether the user exists.
      assert.equal((await ada.get(`/wallet/${"0".repeat(32)}/${what}`)).status, 403);
      assert.equal((await asAdmin(`/wallet/${bob.id}/${what}`)).status, 200);
      const unknown = await asAdmin(`/wallet/${"0".repeat(32)}/${what}`);
      assert.equal(unknown.status, 404);
      assert.equal(unknown.headers.get("x-error-code"), "unknown_user");
    }
    assert.equal((await json(asAdmin(`/wallet/${bob.id}/package`))).type, "pro");
  });

  const attempts = [
    "'; drop table wallets; --",
    "' or '1'='1",
    "self'--",
    "../../admin",
    "%00",
    "a b",
    "self\u0000",
    "self\r\nx-evil: 1",
    "🦊",
    "x".repeat(500),
    '{"$ne":null}',
    "*",
    "%",
  ];
  for (const attempt of attempts) {
    it(`refuses ${JSON.stringify(attempt).slice(0, 40)} as an id`, async () => {
      for (const path of ["/wallet/X/package", "/wallet/X/ledger"]) {
        const address = path.replace("X", encodeURIComponent(attempt));
        for (const answer of [await ada.get(address), await asAdmin(address)]) {
          assert.ok([404, 414, 422].includes(answer.status), `${answer.status}`);
          assert.equal(answer.headers.get("x-evil"), null);
        }
      }
      const query = `?before=${encodeURIComponent(attempt)}`;
      assert.equal((await ada.get(`/wallet/self/ledger${query}`)).status, 422);
      const granted = await asAdmin(`/admin/wallet/${encodeURIComponent(attempt)}/grants`, "POST", { amount: 5 });
      assert.ok([404, 414, 422].includes(granted.status));
      assert.equal((await ada.get("/wallet/self/package")).status, 200);
    });
  }

  it("responds 422 to an invalid id", async () => {
    const answer = await ada.get(`/wallet/${encodeURIComponent("a b")}/package`);
    assert.equal(answer.status, 422);
    assert.deepEqual(await answer.json(), [
      { loc: ["user_id"], type: "value_error", msg: "Expected a user's id or self", in: "path" },
    ]);
  });

  it("is topped up by admins only, once for each key", async () => {
    const grants = `/admin/wallet/${ada.id}/grants`;
    const body = { amount: 500, note: "thanks", idempotency_key: "invoice'; --" };
    const other = await fetch(server.url + grants, {
      method: "POST",
      headers: { ...ada.headers, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    assert.equal(other.status, 403);
    const first = await asAdmin(grants, "POST", body);
    assert.equal(first.status, 201);
    const made = await first.json();
    const second = await asAdmin(grants, "POST", body);
    assert.equal(second.status, 200);
    assert.deepEqual(await second.json(), { ...(made as object), created: false });
    assert.equal((await json(ada.get("/wallet/self/package"))).extra_balance, 500);
    assert.equal((await json(ada.get("/wallet/self/api-credit"))).cumulative_top_up, "500");
    const bad: readonly (readonly [unknown, number])[] = [
      [{}, 422],
      [{ amount: "5" }, 422],
      [{ amount: 1.5 }, 422],
      [{ amount: 5, note: 7 }, 422],
      [{ amount: 0 }, 400],
      [{ amount: -501 }, 400],
      [{ amount: 2e12 }, 400],
      [{ amount: 5, note: "x".repeat(501) }, 400],
      [{ amount: 5, note: "a\u0000b" }, 400],
      [{ amount: 501, idempotency_key: "invoice'; --" }, 400],
    ];
    for (const [wrong, status] of bad) assert.equal((await asAdmin(grants, "POST", wrong)).status, status);
    assert.deepEqual(await ada.balances(), [100_000, 500]);
  });

  it("accepts the subscription of a payment provider, and its plan", async () => {
    const path = `/admin/wallet/${bob.id}/subscription`;
    const body = {
      plan: "plus",
      provider_subscription_id: "sub_1",
      provider_price_id: "price_1",
      billing_period: "month",
      current_period_end: "2031-01-31T12:00:00+02:00",
      cancel_at_period_end: false,
      cancel_at: null,
      scheduled_change: { to: "pro" },
      subscription_currency: "eur",
      has_used_trial: true,
    };
    const answer = await asAdmin(path, "PUT", body);
    assert.equal(answer.status, 200);
    const record = packageRecord.parse(await answer.json());
    assert.deepEqual([record.type, record.total, record.balance], ["plus", 1_000_000, 1_000_000]);
    assert.equal(record.current_period_end, "2031-01-31T10:00:00.000Z");
    assert.deepEqual([record.scheduled_change, record.subscription_currency], [{ to: "pro" }, "eur"]);
    assert.ok(record.last_synced_at);
    assert.deepEqual(await json(bob.get("/wallet/self/package")), record);
    const bad: readonly (readonly [unknown, number])[] = [
      [{ plan: "gold" }, 400],
      [{ cancel_at: "tomorrow" }, 400],
      [{ cancel_at: 5 }, 422],
      [{ scheduled_change: "x" }, 422],
      [{ provider_price_id: "a\u0000" }, 422],
      ["x", 422],
    ];
    for (const [wrong, status] of bad) assert.equal((await asAdmin(path, "PUT", wrong)).status, status);
    const cleared = packageRecord.parse(await json(asAdmin(path, "PUT", {})));
    assert.deepEqual([cleared.type, cleared.provider_subscription_id, cleared.has_used_trial], ["plus", null, true]);
  });

  it("lists its ledger page by page", async () => {
    const page = ledgerPage.parse(await json(ada.get("/wallet/self/ledger?limit=1")));
    assert.equal(page.items.length, 1);
    assert.equal(page.has_more, true);
    assert.deepEqual(
      [page.items[0]?.kind, page.items[0]?.by, page.items[0]?.note],
      ["grant", server.adminId, "thanks"],
    );
    const rest = ledgerPage.parse(await json(ada.get(`/wallet/self/ledger?before=${page.items[0]?.id}`)));
    assert.deepEqual(
      rest.items.map(({ kind, amount }) => [kind, amount]),
      [["refill", 100_000]],
    );
    for (const query of ["limit=0", "limit=201", "limit=x", "before=0", "before=-1", "before=1.5"]) {
      assert.equal((await ada.get(`/wallet/self/ledger?${query}`)).status, 422);
    }
  });
});

async function json(answer: Promise<Response>): Promise<Readonly<Record<string, unknown>>> {
  const response = await answer;
  assert.equal(response.status, 200);
  return (await response.json()) as Readonly<Record<string, unknown>>;
}

/** Compares the sets of keys, not their order. */
function byPlace(record: object) {
  const keys = Object.keys(record);
  return (a: string, b: string): number => keys.indexOf(a) - keys.indexOf(b);
}
