import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createVoice } from "../../packages/server/src/testing/create-voice.ts";
import { instantCloning } from "../../packages/server/src/testing/instant-cloning.ts";
import { startTestServer, TEST_KEY, type TestServer } from "../../packages/server/src/testing/test-server.ts";
import { KOKORO_CLONES } from "../../packages/speech/src/pool/remote/frames.ts";
import { joinToneMachine } from "../../packages/speech/src/testing/tone-machine.ts";
import { type NatsServer, natsMissing, startNatsServer } from "../support/nats-server.ts";
import { until } from "../support/until.ts";

describe("an api node", { skip: natsMissing, timeout: 120_000 }, () => {
  let nats: NatsServer;
  let server: TestServer;
  before(async () => {
    nats = await startNatsServer();
    server = await startTestServer({ config: { natsUrl: nats.url, role: "api" }, parts: { cloning: instantCloning } });
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

  it("says that machines of the version before are too old for cloned voices", async () => {
    const older = await joinToneMachine(nats.url, "older", { cost: 0.01, version: KOKORO_CLONES - 1 });
    await untilReady(true);
    const { _id: voice } = (await (await createVoice(server.url, TEST_KEY)).json()) as { readonly _id: string };
    const speak = (reference_id?: string) => server.post({ text: "Hello.", format: "pcm", reference_id });
    const stock = await speak();
    assert.equal(stock.status, 200);
    await stock.arrayBuffer();
    const refused = await speak(voice);
    assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "5"]);
    assert.match(await refused.text(), /worker machines for speech.kokoro are of an older version.*upgrade them/);

    const newer = await joinToneMachine(nats.url, "newer", { cost: 0.01 });
    const isSpoken = async (): Promise<boolean> => {
      const response = await speak(voice);
      await response.arrayBuffer();
      return response.status === 200;
    };
    await until(isSpoken, { what: "the newer machine speaks" });
    await Promise.all([older.close(), newer.close()]);
    await untilReady(false);
  });

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
