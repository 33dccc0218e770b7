import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { it, type TestContext } from "node:test";
import fc from "fast-check";
import { sourceFlags, sourcePath } from "../../../../../tests/support/child-sources.ts";
import type { Store } from "../../stores/store.ts";
import { onEachDatabase, type TestDatabase } from "../../testing/databases.ts";
import {
  nodeName,
  SMALL_PLANS,
  type WalletCommand,
  type WalletOutcome,
  type WalletRun,
} from "../../testing/wallet-commands.ts";
import { assertBalanced, insertUser } from "../../testing/wallet-user.ts";
import { createReservationService } from "./reservations.ts";

const CONNECTIONS = 4;
const USERS = 2;

/** The amount is derived from the key, so that a repeated grant is the same grant. */
const grant = fc.nat(6).map((key) => ({ do: "grant", key, amount: [40, -15, 90, 5, -60, 200, 1][key] ?? 1 }) as const);
const request = fc.nat(15);
const command: fc.Arbitrary<WalletCommand> = fc
  .tuple(
    fc.record({ user: fc.nat(USERS - 1), day: fc.nat(70) }),
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          do: fc.constant("reserve" as const),
          request,
          credits: fc.integer({ min: 1, max: 90 }),
        }),
      },
      { weight: 3, arbitrary: fc.record({ do: fc.constant("settle" as const), request, used: fc.nat(100) }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant("refund" as const), request }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant("deliver" as const), request, credits: fc.nat(90) }) },
      { weight: 2, arbitrary: grant },
      { weight: 2, arbitrary: fc.constant({ do: "renew" as const }) },
      {
        weight: 1,
        arbitrary: fc.record({ do: fc.constant("plan" as const), plan: fc.constantFrom("free", "plus", "pro") }),
      },
      { weight: 1, arbitrary: fc.record({ do: fc.constant("expireNode" as const), node: fc.nat(CONNECTIONS - 1) }) },
      { weight: 1, arbitrary: fc.constant({ do: "expire" as const }) },
    ),
  )
  .map(([where, what]) => ({ ...where, ...what }) as WalletCommand);

onEachDatabase("wallets used by four processes at once", (newDatabase) => {
  it("keep ledger and balance equal, never negative, and count nothing twice", async (context) => {
    const database = await newDatabase(context);
    const store = await database.open();
    const workers = await startWorkers(context, database);
    await assertNoneTooMany(store, workers);
    const lists = fc.array(fc.array(command, { minLength: 10, maxLength: 25 }), {
      minLength: CONNECTIONS,
      maxLength: CONNECTIONS,
    });
    await fc.assert(
      fc.asyncProperty(lists, async (perConnection) => {
        const users = await Promise.all(Array.from({ length: USERS }, () => insertUser(store)));
        const outcomes = await Promise.all(
          perConnection.map((commands, node) => workers[node]?.run({ users, node, commands }) ?? []),
        );
        await assertBooks(store, users, outcomes.flat());
        // All nodes expire and their reservations are closed.
        for (let node = 0; node < CONNECTIONS; node += 1) {
          await createReservationService({ store, plans: SMALL_PLANS, node: "heir", now: () => 0 }).closeForNode(
            nodeName(users, node),
          );
        }
        for (const userId of users) assert.deepEqual(await store.reservations.ofUser(userId), []);
        await assertBooks(store, users, outcomes.flat());
      }),
      { numRuns: 10, interruptAfterTimeLimit: 30_000, endOnFailure: true, includeErrorInReport: true },
    );
  });
});

/** A package that all processes compete for is used up exactly. */
async function assertNoneTooMany(store: Store, workers: readonly Worker[]): Promise<void> {
  const userId = await insertUser(store);
  const outcomes = await Promise.all(
    workers.map((worker, node) => {
      const requests = Array.from({ length: 40 }, (_, i) => node * 100 + i);
      const commands = requests.map((id) => ({ do: "reserve", user: 0, day: 0, request: id, credits: 1 }) as const);
      return worker.run({ users: [userId], node, commands });
    }),
  );
  assert.equal(outcomes.flat().filter(({ done }) => done).length, SMALL_PLANS.free.credits);
  await assertBalanced(store, userId);
  assert.equal((await store.wallets.find(userId))?.balance, 0);
}

/** Compares the ledger with itself, with the balance, and with the results that each process got. */
async function assertBooks(store: Store, users: readonly string[], outcomes: readonly WalletOutcome[]): Promise<void> {
  for (const [index, userId] of users.entries()) {
    const wallet = await store.wallets.find(userId);
    // Not used in this run.
    if (wallet === undefined) continue;
    await assertBalanced(store, userId);
    const entries = (await store.ledger.listOf(userId, { limit: 100_000 })).toReversed();
    assert.deepEqual(
      entries.map(({ number }) => number),
      entries.map((_, at) => at + 1),
      "the entries have no gap",
    );
    const open = new Set((await store.reservations.ofUser(userId)).map(({ requestId }) => requestId));
    const refills = entries.filter(({ kind }) => kind === "refill").map(({ requestId }) => requestId);
    assert.deepEqual(
      refills,
      refills.map((_, at) => `period-${at + 1}`),
      "each period is filled once",
    );
    assert.equal(refills.length, wallet.period);
    const mine = outcomes.filter(({ command }) => command.user % users.length === index);
    const granted = mine.filter(({ command, done }) => command.do === "grant" && done).length;
    assert.equal(entries.filter(({ kind }) => kind === "grant").length, granted, "each grant was acknowledged once");

    const ids = new Set(entries.filter(({ requestId }) => requestId.startsWith("r")).map(({ requestId }) => requestId));
    for (const id of ids) {
      const moves = entries.filter(({ requestId }) => requestId === id);
      const sum = (...kinds: string[]) =>
        moves.filter(({ kind }) => kinds.includes(kind)).reduce((total, { amount }) => total + amount, 0);
      const number = Number(id.slice(1));
      const opened = mine.filter(({ command, done }) => command.do === "reserve" && command.request === number && done);
      const closed = mine.filter(
        ({ command, done }) =>
          (command.do === "settle" || command.do === "refund") && command.request === number && done,
      );
      assert.equal(opened.length, 1, `${id} was reserved for one`);
      const byOwner = closed.filter(({ node }) => node === opened[0]?.node);
      const byOthers = closed.filter(({ node }) => node !== opened[0]?.node);
      assert.ok(byOwner.length <= 1, `${id} was closed by its node at most once`);
      assert.ok(byOthers.length <= 1, `${id} was closed by another node at most once`);
      const [own] = opened.map(({ command }) => (command.do === "reserve" ? command.credits : 0));
      assert.equal(sum("reserve"), 0 - (own ?? 0));
      if (open.has(id)) assert.equal(moves.length, moves.filter(({ kind }) => kind === "reserve").length);
      else {
        const kept = 0 - sum("reserve", "settle", "refund", "correct");
        assert.ok(kept >= 0 && kept <= (own ?? 0), `${id} has cost ${kept}`);
        // The node that ran the request has the last word.
        const last = byOwner[0] ?? byOthers[0];
        if (last !== undefined) assert.equal(kept, last.kept, "the result equals the ledger");
      }
    }
    const orphans = mine.filter(
      ({ command, done }) => command.do === "reserve" && done && !ids.has(`r${command.request}`),
    );
    assert.deepEqual(orphans, [], "every acknowledged reservation is stored");
  }
}

interface Worker {
  run(run: WalletRun): Promise<readonly WalletOutcome[]>;
}

async function startWorkers(context: TestContext, { config }: TestDatabase): Promise<readonly Worker[]> {
  const path = sourcePath("../../testing/wallet-worker.ts", import.meta.url);
  const children = Array.from({ length: CONNECTIONS }, () =>
    fork(path, [config.data, config.databaseUrl ?? ""], { execArgv: [...sourceFlags] }),
  );
  context.after(async () => {
    await Promise.all(
      children.map(async (child) => {
        if (child.exitCode !== null || !child.connected) return;
        child.disconnect();
        await once(child, "exit");
      }),
    );
  });
  await Promise.all(children.map((child) => once(child, "message")));
  return children.map((child) => ({ run: (run) => ask(child, run) }));
}

async function ask(child: ChildProcess, run: WalletRun): Promise<readonly WalletOutcome[]> {
  const answer = once(child, "message");
  child.send(run);
  const [{ outcomes, fault }] = (await answer) as [{ outcomes?: readonly WalletOutcome[]; fault?: string }];
  if (outcomes === undefined) throw new Error(`a process has failed: ${fault}`);
  return outcomes;
}
