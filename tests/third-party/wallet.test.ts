import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Parlance } from "@parlance/client";
import { FishAudioClient } from "fish-audio";
import { Session } from "fish-audio-sdk";
import { startTestServer, TEST_KEY, type TestServer } from "../../packages/server/src/testing/test-server.ts";

/** The wallet, read by published clients and by our own. The engines do not matter here. */
describe("the wallet, with published clients", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
    await (await server.post({ text: "hello", format: "pcm" })).arrayBuffer();
  });
  after(() => server.close());

  const total = 1_000_000_000_000;

  it("fish-audio reads the package and the credit", async () => {
    const { user } = new FishAudioClient({ apiKey: TEST_KEY, baseUrl: server.url });
    const held = await user.get_package();
    assert.deepEqual(
      [held.user_id, held.type, held.total, held.balance],
      [server.adminId, "unlimited", total, total - 5],
    );
    assert.ok(new Date(held.finished_at) > new Date(held.created_at));
    const credit = await user.get_api_credit();
    assert.equal(credit.user_id, server.adminId);
    assert.equal(Number(credit.credit), total - 5);
    assert.equal(credit.has_phone_sha256, false);
    const unknownClient = new FishAudioClient({ apiKey: "not-a-key-of-this-server", baseUrl: server.url });
    await assert.rejects(
      async () => unknownClient.user.get_package(),
      (error: Error & { statusCode?: number }) => error.statusCode === 401,
    );
  });

  it("fish-audio-sdk reads the package and the credit", async () => {
    const session = new Session(TEST_KEY, server.url);
    const held = await session.getPackage();
    assert.match(held._id, /^[0-9a-f]{32}$/);
    assert.deepEqual(
      [held.user_id, held.type, held.total, held.balance],
      [server.adminId, "unlimited", total, total - 5],
    );
    const credit = await session.getApiCredit({ checkFreeCredit: true });
    assert.equal(Number(credit.credit), total - 5);
    assert.equal(credit.has_free_credit, false);
  });

  it("our own client reads, grants, and stores the subscription of a provider", async () => {
    const client = new Parlance({ baseUrl: server.url, apiKey: TEST_KEY });
    assert.equal((await client.wallet.package()).balance, total - 5);
    assert.equal((await client.wallet.apiCredit({ userId: server.adminId })).credit, String(total - 5));
    const grant = { amount: 10, idempotency_key: "once" };
    assert.equal((await client.admin.grant(server.adminId, grant)).created, true);
    assert.equal((await client.admin.grant(server.adminId, grant)).created, false);
    const page = await client.wallet.ledger({ limit: 1 });
    assert.deepEqual([page.items[0]?.kind, page.items[0]?.amount, page.has_more], ["grant", 10, true]);
    const rest = await client.wallet.ledger({ before: page.items[0]?.id ?? 0 });
    assert.deepEqual(
      rest.items.map(({ kind }) => kind),
      ["settle", "reserve", "refill"],
    );
    const subscription = await client.admin.setSubscription(server.adminId, { plan: "pro", billing_period: "year" });
    assert.deepEqual([subscription.type, subscription.billing_period, subscription.extra_balance], ["pro", "year", 10]);
  });
});
