import assert from "node:assert/strict";
import { it } from "node:test";
import { natsMissing, startNatsServer } from "../../../../../tests/support/nats-server.ts";
import { until } from "../../../../../tests/support/until.ts";
import { createModelStore } from "../../catalog/manifest.ts";
import { SpeechError } from "../../errors.ts";
import { createCluster } from "../../pool/remote/cluster.ts";
import { KOKORO_CLONES } from "../../pool/remote/frames.ts";
import { createMachine } from "../../pool/remote/machine.ts";
import { createNatsTransport } from "../../pool/remote/nats-transport.ts";
import { ofVersion } from "../../testing/of-version.ts";
import { singleService } from "../../worker/services.ts";
import { ANALYSIS_KIND } from "./cloning-pools.ts";
import { createCloning } from "./index.ts";

it("makes no voice on machines that make voices for another engine, and says so", {
  skip: natsMissing,
  timeout: 30_000,
}, async (context) => {
  const nats = await startNatsServer();
  context.after(() => nats.kill());
  let jobs = 0;
  const analysis = singleService(
    () => true,
    async () => {
      jobs++;
      return new Float32Array(512);
    },
  );
  const machine = createMachine(ofVersion(createNatsTransport(nats.url), KOKORO_CLONES - 1), {
    name: "older",
    services: () => new Map([[ANALYSIS_KIND, analysis]]),
  });
  context.after(() => machine.close());
  const cluster = createCluster(createNatsTransport(nats.url));
  context.after(() => cluster.close());
  await until(() => cluster.workers(ANALYSIS_KIND) > 0, { what: "the machine has joined" });
  const models = createModelStore({ directory: "/nonexistent" });
  const cloning = await createCloning({ models, minSeconds: 1, maxSeconds: 120, cluster });
  context.after(() => cloning.close());
  const heard = { vector: new Float32Array(128).fill(128 ** -0.5), pitch: 160, weight: 10 };
  await assert.rejects(cloning.remake([heard], new AbortController().signal), (error) => {
    assert.ok(error instanceof SpeechError && error.code === "not_ready", String(error));
    return /worker machines for analysis are of an older version/.test(error.message);
  });
  assert.equal(jobs, 0);
});
