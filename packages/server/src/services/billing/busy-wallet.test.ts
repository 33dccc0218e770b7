import assert from "node:assert/strict";
import { it } from "node:test";
import { DEFAULT_PLANS } from "@parlance/protocol";
import { onPostgres } from "../../testing/databases.ts";
import { holdTransaction } from "../../testing/held-transaction.ts";
import { assertBalanced, insertUser } from "../../testing/wallet-user.ts";
import { createReservationService } from "./reservations.ts";

/** More than a node has connections to its database. */
const REQUESTS = 30;

onPostgres("an account whose wallet another node holds", (newDatabase) => {
  it("does not keep other accounts waiting, however many requests it has", { timeout: 60_000 }, async (context) => {
    const database = await newDatabase(context);
    const [here, there] = [await database.open(), await database.open()];
    const [busy, other] = [await insertUser(here), await insertUser(here)];
    const reservations = createReservationService({ store: here, plans: DEFAULT_PLANS, node: "here" });
    const open = (userId: string, requestId: string) =>
      reservations.open({ userId, requestId, operation: "tts", credits: 1 });
    await open(busy, "first");
    const release = await holdTransaction(there.transaction, ({ wallets }) => wallets.lock(busy));
    const waiting = Promise.all(Array.from({ length: REQUESTS }, (_, index) => open(busy, `r${index}`)));
    try {
      assert.equal(await open(other, "only"), true);
    } finally {
      await release();
    }
    await waiting;
    assert.equal((await here.reservations.ofUser(busy)).length, REQUESTS + 1);
    for (const userId of [busy, other]) await assertBalanced(here, userId);
  });
});
