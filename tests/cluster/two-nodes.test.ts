import assert from "node:assert/strict";
import { after, before, it, type TestContext } from "node:test";
import { createVoice } from "../../packages/server/src/testing/create-voice.ts";
import { type NewDatabase, onPostgres } from "../../packages/server/src/testing/databases.ts";
import { instantCloning } from "../../packages/server/src/testing/instant-cloning.ts";
import { startTestServer, TEST_KEY, type TestServer } from "../../packages/server/src/testing/test-server.ts";
import { joinToneMachine } from "../../packages/speech/src/testing/tone-machine.ts";
import { type NatsServer, natsMissing, startNatsServer } from "../support/nats-server.ts";
import { until } from "../support/until.ts";
import { createClusterProcesses } from "./cluster-processes.ts";

const TEXT = "One sentence is spoken by a machine of the cluster.";

onPostgres("two api nodes and a worker machine", (newDatabase) => {
  let nats: NatsServer | undefined;
  let closeMachine = async (): Promise<void> => {};
  /** Streams wait before their second window while it is true. */
  let held = false;
  before(async () => {
    if (natsMissing) return;
    nats = await startNatsServer();
    const machine = await joinToneMachine(nats.url, "the-machine", {
      cost: 0.01,
      before: async (window, signal) => {
        if (window > 0) await until(() => !held || signal.aborted, { what: "the stream is released" });
      },
    });
    closeMachine = machine.close;
  });
  after(async () => {
    await closeMachine();
    await nats?.kill();
  });

  async function startNodes(context: TestContext, newOne: NewDatabase, concurrency = 2) {
    const { config } = await newOne(context);
    const natsUrl = nats?.url ?? "";
    const start = async (): Promise<TestServer> => {
      const server = await startTestServer({
        config: { databaseUrl: config.databaseUrl, natsUrl, role: "api", concurrency, waitMs: 0 },
        parts: { cloning: instantCloning, node: { heartbeatMs: 100, expiryMs: 2_000 } },
      });
      context.after(() => server.close());
      await until(async () => (await fetch(`${server.url}/health/ready`)).ok, { what: "the node is ready" });
      return server;
    };
    return { first: await start(), second: await start(), databaseUrl: config.databaseUrl ?? "", natsUrl };
  }
  const ask = async (server: TestServer, path: string, init: { method?: string; body?: string } = {}) => {
    const type = init.body === undefined ? {} : { "content-type": "application/json" };
    return fetch(server.url + path, { ...init, headers: { authorization: `Bearer ${TEST_KEY}`, ...type } });
  };
  const speak = async (server: TestServer, extra: object = {}, key = TEST_KEY) => {
    const response = await server.post(
      { text: TEXT, format: "pcm", ...extra },
      { headers: { authorization: `Bearer ${key}` } },
    );
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, bytes, traceId: response.headers.get("x-trace-id") ?? "" };
  };

  it("agree on keys, wallet and voices at once, and a trace names the machine", {
    skip: natsMissing,
  }, async (context) => {
    const { first, second } = await startNodes(context, newDatabase);
    const made = await ask(first, "/account/keys", { method: "POST", body: JSON.stringify({ name: "new" }) });
    const { _id: id, secret } = (await made.json()) as { readonly _id: string; readonly secret: string };
    assert.equal((await speak(second, {}, secret)).status, 200);
    assert.equal((await ask(first, `/account/keys/${id}`, { method: "DELETE" })).ok, true);
    assert.equal((await speak(second, {}, secret)).status, 401);

    const { _id: voice } = (await (await createVoice(first.url, TEST_KEY)).json()) as { readonly _id: string };
    const [here, there] = [await speak(first, { reference_id: voice }), await speak(second, { reference_id: voice })];
    assert.deepEqual([here.status, there.status], [200, 200]);
    assert.ok(here.bytes.length > 0 && here.bytes.equals(there.bytes));

    const isSettled = async () => (await first.store.reservations.ofUser(first.adminId)).length === 0;
    await until(isSettled, { what: "every request is settled" });
    const wallets = await Promise.all(
      [first, second].map(async (server) => (await ask(server, "/wallet/self/api-credit")).json()),
    );
    assert.deepEqual(wallets[0], wallets[1]);

    const trace = await until(async () => {
      // The other node has it in its memory.
      const response = await ask(first, `/admin/traces/${there.traceId}`);
      return response.ok ? response.text() : undefined;
    });
    assert.match(trace, /"machine":"the-machine"/);
    const { items } = (await (await ask(first, "/admin/traces")).json()) as {
      readonly items: readonly { readonly trace_id: string }[];
    };
    for (const { traceId } of [here, there]) assert.ok(items.some(({ trace_id }) => trace_id === traceId));
  });

  it("count the running requests of an account together", { skip: natsMissing }, async (context) => {
    const { first, second } = await startNodes(context, newDatabase);
    held = true;
    const leave = new AbortController();
    try {
      const running = await Promise.all(
        [first, second].map((server) => server.post({ text: TEXT, format: "pcm" }, { signal: leave.signal })),
      );
      assert.deepEqual(
        running.map(({ status }) => status),
        [200, 200],
      );
      for (const server of [first, second]) assert.equal((await speak(server)).status, 429);
    } finally {
      held = false;
      leave.abort();
    }
    await until(async () => (await speak(first)).status === 200, { what: "the slots are free again", everyMs: 50 });
  });

  const used = async (server: TestServer): Promise<number> => {
    const metrics = await (await ask(server, "/metrics")).text();
    return Number(/^parlance_capacity_used_ratio (\S+)$/m.exec(metrics)?.[1]);
  };

  it("accept streams against the same machine, and refuse with a time to come back when it is full", {
    skip: natsMissing,
  }, async (context) => {
    const { first, second } = await startNodes(context, newDatabase, 100);
    const body = { text: `${TEXT} `.repeat(8), format: "pcm" };
    held = true;
    const leave = new AbortController();
    const open = (server: TestServer) => server.post(body, { signal: leave.signal });
    try {
      const statuses: number[] = [];
      while (statuses.at(-1) !== 503 && statuses.length < 50) statuses.push((await open(first)).status);
      assert.ok(statuses.length > 1 && statuses.slice(0, -1).every((status) => status === 200), statuses.join());
      await until(async () => (await used(second)) >= (await used(first)), { what: "the other node counts them" });
      // The machine reports its speed again and again, so there may be room for a few more. A node that did not count the
      // streams of the other one would accept as many as that.
      const fewMore = Math.floor((statuses.length - 1) / 2);
      for (const server of [second, first]) {
        let refused = await open(server);
        for (let more = 0; refused.status === 200 && more < fewMore; more++) refused = await open(server);
        assert.equal(refused.status, 503);
        assert.ok(Number(refused.headers.get("retry-after")) > 0);
        assert.equal(refused.headers.get("x-error-code"), "overloaded");
      }
    } finally {
      held = false;
      leave.abort();
    }
    await until(async () => (await speak(second)).status === 200, { what: "there is room again", everyMs: 50 });
  });

  it("report the used capacity of the whole cluster", { skip: natsMissing }, async (context) => {
    const { first, second } = await startNodes(context, newDatabase);
    const bothUsed = (isUsed: boolean) => async (): Promise<boolean> =>
      (await used(first)) > 0 === isUsed && (await used(second)) > 0 === isUsed;
    assert.equal(await used(first), 0);
    held = true;
    const leave = new AbortController();
    try {
      // One node speaks; the other one counts it, too.
      assert.equal((await first.post({ text: TEXT, format: "pcm" }, { signal: leave.signal })).status, 200);
      await until(bothUsed(true), { what: "both nodes count the stream", everyMs: 50 });
    } finally {
      held = false;
      leave.abort();
    }
    await until(bothUsed(false), { what: "the stream has ended for both", everyMs: 50 });
  });

  it("close the reservations of a node that was killed", { skip: natsMissing }, async (context) => {
    const { first, databaseUrl, natsUrl } = await startNodes(context, newDatabase);
    const processes = createClusterProcesses();
    context.after(processes.close);
    const node = await processes.startNode({
      PARLANCE_PORT: "0",
      PARLANCE_DATA: `${first.folder}/third`,
      PARLANCE_DATABASE_URL: databaseUrl,
      PARLANCE_NATS_URL: natsUrl,
      PARLANCE_ROLE: "api",
    });
    await until(async () => (await fetch(`${node.url}/health/ready`)).ok, { what: "the node is ready" });
    held = true;
    try {
      const body = JSON.stringify({ text: TEXT, format: "pcm" });
      const headers = { authorization: `Bearer ${TEST_KEY}`, model: "s2-pro", "content-type": "application/json" };
      const response = await fetch(`${node.url}/v1/tts`, { method: "POST", headers, body });
      assert.equal(response.status, 200);
      const ended = response.arrayBuffer().catch(() => undefined);
      const open = async () => (await first.store.reservations.ofUser(first.adminId)).length;
      assert.equal(await open(), 1);
      await node.kill();
      await ended;
      await until(async () => (await open()) === 0, { what: "the reservation is closed" });
    } finally {
      held = false;
    }
  });
});
