import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { startTestServer } from "../../packages/server/src/testing/test-server.ts";
import { createCluster } from "../../packages/speech/src/pool/remote/cluster.ts";
import { createCombinedPool } from "../../packages/speech/src/pool/remote/combined-pool.ts";
import { createNatsTransport } from "../../packages/speech/src/pool/remote/nats-transport.ts";
import { speechKind } from "../../packages/speech/src/pool/remote/remote-pool.ts";
import { jobOf, long } from "../../packages/speech/src/testing/pool-jobs.ts";
import { joinToneMachine } from "../../packages/speech/src/testing/tone-machine.ts";
import { createTonePool, type TonePoolOptions } from "../../packages/speech/src/testing/tone-pool.ts";
import { natsMissing, startNatsServer } from "../support/nats-server.ts";
import { startTcpProxy } from "../support/tcp-proxy.ts";
import { until } from "../support/until.ts";

const TEXT = "A sentence that takes a few seconds is spoken by a machine of the cluster.";
/** Far above what any of these requests may take: a request that hangs fails the test. */
const HANGS_MS = 30_000;

/** A NATS server with a worker machine beside it, and a link to it that can be slow. */
async function setUp(context: TestContext, options: TonePoolOptions) {
  const nats = await startNatsServer();
  context.after(nats.kill);
  const link = await startTcpProxy({ port: Number(new URL(nats.url).port) });
  context.after(link.close);
  const machine = await joinToneMachine(nats.url, "the-machine", options);
  context.after(machine.close);
  return { nats, link, url: `nats://127.0.0.1:${link.port}` };
}

describe("an api node with a slow connection to NATS", { skip: natsMissing, timeout: 180_000 }, () => {
  async function startNode(context: TestContext) {
    const { link, url } = await setUp(context, { cost: 0.01, workers: 4 });
    const server = await startTestServer({ config: { natsUrl: url, role: "api", waitMs: 0 } });
    context.after(server.close);
    const isReady = async (): Promise<boolean> => (await fetch(`${server.url}/health/ready`)).ok;
    const speak = async () => {
      const signal = AbortSignal.timeout(HANGS_MS);
      const response = await server.post({ text: TEXT, format: "pcm" }, { signal });
      const after = Number(response.headers.get("retry-after"));
      // A stream that has begun and cannot go on is cut off, so that no client takes it for complete.
      const bytes = await response.arrayBuffer().catch(() => {
        signal.throwIfAborted();
        return undefined;
      });
      return { status: response.status, after, bytes: bytes?.byteLength };
    };
    await until(isReady, { what: "the node is ready" });
    return { link, server, speak, isReady, whole: await speak() };
  }

  it("speaks the same when every message is late", async (context) => {
    const { link, speak, whole } = await startNode(context);
    assert.equal(whole.status, 200);
    link.setSpeed({ delayMs: 150 });
    for (const spoken of await Promise.all([speak(), speak()])) assert.deepEqual(spoken, whole);
  });

  it("finishes or refuses every request on a slow connection, and recovers afterwards", async (context) => {
    const { link, speak, whole, isReady } = await startNode(context);
    link.setSpeed({ delayMs: 20, bytesPerSecond: 40_000 });
    const results = await Promise.all(Array.from({ length: 6 }, speak));
    for (const { status, after, bytes } of results) {
      if (status === 200) assert.ok(bytes === undefined || bytes === whole.bytes, `${bytes} bytes`);
      else assert.deepEqual([status, after > 0], [503, true]);
    }
    link.restore();
    await until(isReady, { what: "the node is ready again" });
    assert.deepEqual(await speak(), whole);
  });

  it("answers 503 with Retry-After while nothing passes, and recovers afterwards", async (context) => {
    const { link, server, speak, whole, isReady } = await startNode(context);
    link.stall();
    for (const { status, after } of await Promise.all([speak(), speak(), speak()]))
      assert.deepEqual([status, after > 0], [503, true]);
    assert.equal(await isReady(), false);
    assert.equal((await fetch(`${server.url}/health/live`)).status, 200);
    link.restore();
    await until(isReady, { what: "the node is ready again" });
    assert.deepEqual(await speak(), whole);
    link.stall();
    // A server that cannot say goodbye to NATS still ends.
    await server.close();
  });
});

describe("a node with workers of its own", { skip: natsMissing, timeout: 60_000 }, () => {
  it("continues with its own workers while nothing passes to NATS and back", async (context) => {
    let windows = 0;
    const { link, url } = await setUp(context, { cost: 0.01 });
    const cluster = createCluster(createNatsTransport(url));
    context.after(cluster.close);
    await until(() => cluster.workers(speechKind("kokoro")) === 1, { what: "the machine is known" });
    const own = createTonePool({
      cost: 0.01,
      async before() {
        windows++;
        if (windows === 3) link.stall();
      },
    });
    const pool = createCombinedPool("kokoro", () => own, cluster);
    const speak = async (): Promise<number> => {
      let samples = 0;
      for await (const window of pool.synthesize(jobOf(long), AbortSignal.timeout(HANGS_MS)))
        samples += window.samples.length;
      return samples;
    };
    const first = await speak();
    assert.ok(first > 0 && windows > 3);
    // What would be given to the machine comes back.
    assert.deepEqual(await Promise.all([speak(), speak(), speak()]), [first, first, first]);
    link.restore();
    await until(() => cluster.workers(speechKind("kokoro")) === 1, { what: "the machine is known again" });
  });
});
