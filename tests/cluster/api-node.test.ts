import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestServer, type TestServer } from "../../packages/server/src/testing/test-server.ts";
import { joinToneMachine } from "../../packages/speech/src/testing/tone-machine.ts";
import { type NatsServer, natsMissing, startNatsServer } from "../support/nats-server.ts";
import { until } from "../support/until.ts";

describe("an api node", { skip: natsMissing, timeout: 120_000 }, () => {
  let nats: NatsServer;
  let server: TestServer;
  before(async () => {
    nats = await startNatsServer();
    server = await startTestServer({ config: { natsUrl: nats.url, role: "api" } });
  });
  after(async () => {
    await server.close();
    await nats.kill();
  });

  const machinesCheck = async (): Promise<{ readonly status: number; readonly state: string | undefined }> => {
    const response = await fetch(`${server.url}/health/ready`);
    const { checks } = (await response.json()) as { readonly checks: readonly { name: string; state: string }[] };
    return { status: response.status, state: checks.find(({ name }) => name === "machines")?.state };
  };
  const untilReady = (ready: boolean): Promise<boolean> =>
    until(async () => (await machinesCheck()).status === (ready ? 200 : 503), { what: `ready: ${ready}`, everyMs: 50 });

  it("is ready while a machine takes work, and not without one", async () => {
    assert.deepEqual(await machinesCheck(), { status: 503, state: "failing" });
    const refused = await server.post({ text: "Hello.", format: "pcm" });
    assert.equal(refused.status, 503);
    assert.ok(Number(refused.headers.get("retry-after")) > 0);
    await refused.arrayBuffer();

    const first = await joinToneMachine(nats.url, "first", { cost: 0.01 });
    await untilReady(true);
    const spoken = await server.post({ text: "Hello.", format: "pcm" });
    assert.equal(spoken.status, 200);
    assert.ok((await spoken.arrayBuffer()).byteLength > 10_000);

    await first.close();
    await untilReady(false);
    const second = await joinToneMachine(nats.url, "second", { cost: 0.01 });
    await untilReady(true);

    await nats.kill();
    await untilReady(false);
    await nats.start();
    await untilReady(true);
    await second.close();
  });
});
