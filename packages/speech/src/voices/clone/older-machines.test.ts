import assert from "node:assert/strict";
import { it, type TestContext } from "node:test";
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
import { createCloning, type SpeakerFeatures } from "./index.ts";

const never = new AbortController().signal;
const heard = { vector: new Float32Array(128).fill(128 ** -0.5), pitch: 160, weight: 10 };

/** Cloning by a machine of this version, which answers each job with that many numbers. */
async function cloningBy(context: TestContext, version: number, numbers: number) {
  const nats = await startNatsServer();
  context.after(() => nats.kill());
  const jobs: unknown[] = [];
  const analysis = singleService(
    () => true,
    async (job) => {
      jobs.push(job);
      return new Float32Array(numbers).fill(1);
    },
  );
  const machine = createMachine(ofVersion(createNatsTransport(nats.url), version), {
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
  return { cloning, jobs };
}

const options = { skip: natsMissing, timeout: 30_000 };

it("makes no voice on machines that make voices for another engine, and says so", options, async (context) => {
  const { cloning, jobs } = await cloningBy(context, KOKORO_CLONES - 1, 512);
  await assert.rejects(cloning.remake([heard], never), (error) => {
    assert.ok(error instanceof SpeechError && error.code === "not_ready", String(error));
    return /worker machines for analysis are of an older version/.test(error.message);
  });
  assert.equal(jobs.length, 0);
});

it("takes an embedding of a machine that does not know the version of its voice encoder", options, async (context) => {
  const { cloning, jobs } = await cloningBy(context, KOKORO_CLONES, 128);
  const { embedding, encoder } = await cloning.remake([heard], never);
  assert.deepEqual([embedding.length, encoder, jobs.length], [128, "", 1]);
});

it("sends the vector of the speaker network, which an older machine ignores", options, async (context) => {
  const { cloning, jobs } = await cloningBy(context, KOKORO_CLONES, 128);
  const networkVector = { values: new Float32Array(128).fill(0.25), network: "test" };
  const { embedding } = await cloning.remake([{ ...heard, networkVector }, heard], never);
  assert.equal(embedding.length, 128);
  const [job] = jobs as { readonly speaker: SpeakerFeatures }[];
  assert.equal(job?.speaker.networkVector?.network, "test");
  assert.ok(Math.abs(Math.hypot(...(job?.speaker.networkVector?.values ?? [])) - 1) < 1e-5);
});
