import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { after, before, describe, it, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../../config/config.ts";
import { openStore } from "../../stores/open-store.ts";
import { bundleScript } from "../../testing/bundle-script.ts";
import { type Acknowledged, loadUntilClosed } from "../../testing/charged-load.ts";
import { postgresMissing, startPostgres } from "../../testing/postgres.ts";
import { assertStored, untilNothingIsOpen } from "../../testing/stored-charges.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { until } from "../../testing/until.ts";
import { insertUser } from "../../testing/wallet-user.ts";
import { createKeys } from "../identity/keys.ts";

/** The program of the servers. */
let script = "";

type Storage = Pick<Config, "data" | "databaseUrl">;
const USERS = 2;
/** PARLANCE_TEST_KILLS=50 kills more often. */
const KILLS = Number(process.env.PARLANCE_TEST_KILLS ?? 8);
/** Each takes seconds. */
const POSTGRES_KILLS = Number(process.env.PARLANCE_TEST_KILLS ?? 3);

describe("a server killed under load", { timeout: 1_800_000 }, () => {
  before(async () => {
    script = await bundleScript("serve-until-killed.ts");
  });
  after(() => rm(script, { force: true }));

  it(`${KILLS} times with SQLite: every acknowledged charge and key is stored, and no reservation stays open`, async (context) => {
    const storage = { data: await temporaryFolder(context), databaseUrl: undefined };
    const { serve, store, users, keys, acknowledged } = await setUp(context, storage);
    let leftOpen = 0;
    for (let kill = 0; kill <= KILLS; kill += 1) {
      for (const userId of users) leftOpen += (await store.reservations.ofUser(userId)).length;
      const server = await serve();
      // Settled at once: the file lock of the killed process is free, so it has ended for certain.
      for (const userId of users) assert.deepEqual(await store.reservations.ofUser(userId), []);
      await assertStored(store, users, acknowledged);
      if (kill < KILLS)
        await killUnderLoad(server, keys, acknowledged, kill === KILLS - 1 ? { charges: 101, keys: 21 } : {});
    }
    context.diagnostic(
      `${acknowledged.charges.size} charges and ${acknowledged.keys.size} keys were acknowledged, ${leftOpen} reservations were left open`,
    );
    assert.ok(acknowledged.charges.size > 100 && acknowledged.keys.size > 20 && leftOpen > KILLS / 4);
  });

  it("with PostgreSQL: the next node closes its reservations once its heartbeat has expired", {
    skip: postgresMissing,
  }, async (context) => {
    const { serve, store, users, keys, acknowledged } = await setUpOnPostgres(context);
    for (let kill = 0; kill <= POSTGRES_KILLS; kill += 1) {
      const server = await serve();
      await untilNothingIsOpen(store, users);
      await assertStored(store, users, acknowledged);
      const minimum = kill === POSTGRES_KILLS - 1 ? { charges: 11, keys: 4 } : {};
      if (kill < POSTGRES_KILLS) await killUnderLoad(server, keys, acknowledged, minimum);
    }
    context.diagnostic(`${acknowledged.charges.size} charges and ${acknowledged.keys.size} keys were acknowledged`);
    assert.ok(acknowledged.charges.size > 10 && acknowledged.keys.size > 3);
  });

  it("with PostgreSQL killed instead: the server recovers when it is back, and loses nothing", {
    skip: postgresMissing,
  }, async (context) => {
    const { postgres, serve, store, users, keys, acknowledged } = await setUpOnPostgres(context);
    const server = await serve();
    const load = loadUntilClosed(server.url, keys, acknowledged);
    for (let crash = 0; crash < 2; crash += 1) {
      await sleep(randomInt(300, 800));
      const before = acknowledged.charges.size;
      await postgres.crash();
      await until(() => acknowledged.charges.size >= before + 5, { timeoutMs: 120_000 });
    }
    server.process.kill("SIGKILL");
    await load;
    await serve();
    await untilNothingIsOpen(store, users);
    await assertStored(store, users, acknowledged);
    context.diagnostic(`${acknowledged.charges.size} charges and ${acknowledged.keys.size} keys were acknowledged`);
  });
});

interface Served {
  readonly process: ChildProcess;
  readonly url: string;
}

async function setUp(context: TestContext, storage: Storage) {
  // Lost connections are expected here.
  const store = await openStore(storage, () => {});
  context.after(() => store.close());
  const users = await Promise.all(Array.from({ length: USERS }, () => insertUser(store, { plan: "unlimited" })));
  const keys = await Promise.all(users.map(async (id) => (await createKeys(store).create(id, "test")).secret));
  const acknowledged: Acknowledged = { charges: new Map(), keys: new Set() };
  return { serve: createServers(context, storage), store, users, keys, acknowledged };
}

async function setUpOnPostgres(context: TestContext) {
  const postgres = await startPostgres();
  context.after(() => postgres.stop());
  const storage = { data: await temporaryFolder(context), databaseUrl: postgres.url };
  return { postgres, ...(await setUp(context, storage)) };
}

/** Servers one after the other on the same database. The next one loads its code in advance, since that takes longest. */
function createServers(context: TestContext, storage: Storage): () => Promise<Served> {
  const all = new Set<ChildProcess>();
  const load = () => {
    const child = fork(script, { execArgv: [] });
    all.add(child);
    return { child, loaded: once(child, "message") };
  };
  context.after(() => {
    for (const child of all) child.kill("SIGKILL");
  });
  const ready = [load()];
  return async () => {
    ready.push(load());
    const next = ready.shift();
    assert.ok(next);
    await next.loaded;
    next.child.send({
      PARLANCE_PORT: "0",
      PARLANCE_DATA: storage.data,
      PARLANCE_LOG: "silent",
      ...(storage.databaseUrl === undefined ? {} : { PARLANCE_DATABASE_URL: storage.databaseUrl }),
    });
    const [url] = (await once(next.child, "message")) as [string];
    return { process: next.child, url };
  };
}

/** Waits until at least this much was acknowledged, so that there is something to check. */
interface MinimumLoad {
  readonly charges?: number;
  readonly keys?: number;
}

async function killUnderLoad(
  server: Served,
  keys: readonly string[],
  acknowledged: Acknowledged,
  min: MinimumLoad,
): Promise<void> {
  const load = loadUntilClosed(server.url, keys, acknowledged);
  // By progress, not by time alone: on a busy machine nothing may have happened yet.
  const enough = acknowledged.charges.size + randomInt(0, 12);
  await until(() => acknowledged.charges.size >= Math.max(enough, min.charges ?? 0));
  await until(() => acknowledged.keys.size >= (min.keys ?? 0));
  await sleep(randomInt(0, 40));
  const exited = once(server.process, "exit");
  server.process.kill("SIGKILL");
  await exited;
  await load;
}
