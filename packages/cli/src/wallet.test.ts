import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { bootstrap, openStore } from "@parlance/server";
import { runInProcess } from "./testing/run-in-process.ts";

describe("parlance wallet", () => {
  let folder: string;
  let adminId: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "parlance-wallet-"));
    const store = await openStore({ data: folder, databaseUrl: undefined });
    ({ adminId } = await bootstrap(store, "operator-chosen-key"));
    await store.close();
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const parlance = (...args: readonly string[]) =>
    runInProcess(["wallet", ...args], { PARLANCE_DATA: folder, PARLANCE_PLANS: '{"free":{"credits":77}}' });
  const done = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await parlance(...args);
    assert.equal(code, 0, stderr);
    return stdout;
  };

  it("shows, grants once per key, takes back, stores a subscription and lists the ledger", async () => {
    assert.match(await done("show", adminId), /plan +unlimited\npackage +1000000000000 of 1000000000000 credits/);
    assert.equal(await done("grant", adminId, "500", "--note", "hello", "--key", "k1"), "500\n");
    assert.equal(await done("grant", adminId, "500", "--key", "k1"), "500\n");
    assert.equal(await done("grant", adminId, "--", "-100"), "400\n");
    const subscribed = await done("subscription", adminId, '{"plan":"free","billing_period":"month"}');
    assert.deepEqual(
      [JSON.parse(subscribed).type, JSON.parse(subscribed).total, JSON.parse(subscribed).billing_period],
      ["free", 77, "month"],
    );
    const record = JSON.parse(await done("show", adminId, "--json"));
    assert.deepEqual([record.balance, record.extra_balance], [77, 400]);
    const table = await done("ledger", adminId, "--limit", "2");
    assert.match(table, /^NUMBER +TIME +KIND +BUCKET +CREDITS +NOTE +REQUEST\n5 .*refill +package +\+77 +free/);
    const { items } = JSON.parse(await done("ledger", adminId, "--json"));
    assert.deepEqual(
      items.map((entry: { kind: string; amount: number }) => [entry.kind, entry.amount]),
      [
        ["refill", 77],
        ["expire", -1000000000000],
        ["grant", -100],
        ["grant", 500],
        ["refill", 1000000000000],
      ],
    );
  });

  it("reports errors in one line", async () => {
    const wrong: readonly (readonly [readonly string[], number, RegExp])[] = [
      [["show", "nobody"], 2, /there is no user nobody: give an e-mail address, or an id/],
      [["grant", adminId, "many"], 2, /credits: many is not a whole number/],
      [["grant", adminId, "0"], 2, /amount: 0 is not allowed/],
      [["subscription", adminId, "{"], 2, /the fields cannot be used/],
      [["subscription", adminId, '{"plan":"gold"}'], 2, /plan: "gold" is not allowed/],
      [["ledger", adminId, "--limit", "0"], 2, /--limit: 0 is not a whole number/],
    ];
    for (const [args, code, message] of wrong) {
      const result = await parlance(...args);
      assert.equal(result.code, code, result.stderr);
      assert.match(result.stderr, message);
      assert.equal(result.stderr.trim().split("\n").length, 1);
    }
  });
});
