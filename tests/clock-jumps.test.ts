import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { openStore } from "../packages/server/src/stores/open-store.ts";
import { bundleScript } from "../packages/server/src/testing/bundle-script.ts";
import { temporaryFolder } from "../packages/server/src/testing/temporary-folder.ts";
import { until } from "./support/until.ts";

/** Debian's package faketime. Its library shows a process another time of day, which a file sets. */
const LIBRARY = ["x86_64", "aarch64"]
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`)
  .find((path) => existsSync(path));
const PASSWORD = "a long enough password";
const EMAIL = "ada@example.org";

describe("a server whose clock is set", { skip: LIBRARY === undefined && "faketime is not installed" }, () => {
  it("keeps sessions, limits and what runs, and charges for it in full", async (context) => {
    const { url, key, store, setClock, release } = await serve(context);
    const post = (path: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
      fetch(url + path, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, model: "s2-pro", "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      });
    const signIn = await post("/account/sign-in", { email: EMAIL, password: PASSWORD }, { authorization: "" });
    assert.equal(signIn.status, 200, await signIn.clone().text());
    const cookie = signIn.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    const speech = await post("/v1/tts", { text: "Six words that are spoken slowly.", format: "pcm" });
    assert.equal(speech.status, 200);
    const [user] = await store.users.list({ offset: 0, limit: 1 });
    assert.ok(user);
    const open = () => store.reservations.ofUser(user.id);
    await until(async () => (await open()).length === 1, { what: "the request has a reservation" });

    for (const shift of ["+26h", "-26h", "+0"]) {
      setClock(shift);
      await heartbeats(store, 2);
      assert.equal((await fetch(`${url}/health/live`)).status, 200);
      const account = await fetch(`${url}/account`, { headers: { cookie } });
      assert.equal(account.status, 200, `the session, with the clock at ${shift}`);
      assert.equal((await open()).length, 1, `the running request, with the clock at ${shift}`);
    }
    release();
    assert.ok((await speech.arrayBuffer()).byteLength > 0);
    for (const shift of ["+0", "-26h"]) {
      setClock(shift);
      const answer = await post("/v1/tts", { text: "Again.", format: "pcm" });
      assert.equal(answer.status, 200, `with the clock at ${shift}`);
      await answer.arrayBuffer();
    }
    await until(async () => (await open()).length === 0, { what: "everything is settled" });
    const entries = await store.ledger.listOf(user.id, { limit: 100 });
    const spent = entries.filter(({ kind }) => kind === "reserve" || kind === "settle" || kind === "refund");
    const cost = -spent.reduce((sum, { amount }) => sum + amount, 0);
    assert.equal(cost, "Six words that are spoken slowly.".length + 2 * "Again.".length);
  });
});

/** Waits for heartbeats of the server: the clock is looked at with each. */
async function heartbeats(store: Awaited<ReturnType<typeof openStore>>, count: number): Promise<void> {
  const last = async () => (await store.nodes.list())[0]?.heartbeatAt;
  for (let seen = 0; seen < count; seen += 1) {
    const before = await last();
    await until(async () => (await last()) !== before, { what: "a heartbeat", timeoutMs: 60_000 });
  }
}

async function serve(context: TestContext) {
  const data = await temporaryFolder(context);
  const clock = join(data, "clock");
  const setClock = (shift: string): void => writeFileSync(clock, `${shift}\n`);
  setClock("+0");
  const script = await bundleScript("serve-held-tone.ts");
  context.after(() => rmSync(script, { force: true }));
  const child = fork(script, {
    execArgv: [],
    env: {
      ...process.env,
      LD_PRELOAD: LIBRARY,
      FAKETIME_TIMESTAMP_FILE: clock,
      FAKETIME_NO_CACHE: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
      DONT_FAKE_MONOTONIC: "1",
      PARLANCE_DATA: data,
      PARLANCE_PORT: "0",
      PARLANCE_REQUESTS_PER_MINUTE: "3",
      PARLANCE_ADMIN_EMAIL: EMAIL,
      PARLANCE_ADMIN_PASSWORD: PASSWORD,
    },
  });
  context.after(() => child.kill("SIGKILL"));
  const [{ url, key }] = (await once(child, "message")) as [{ url: string; key: string }];
  const store = await openStore({ data, databaseUrl: undefined }, () => {});
  context.after(() => store.close());
  return { url, key, store, setClock, release: () => child.send("release") };
}
