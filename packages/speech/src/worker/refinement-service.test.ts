import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it, type TestContext } from "node:test";
import { natsMissing, startNatsServer } from "../../../../tests/support/nats-server.ts";
import { until } from "../../../../tests/support/until.ts";
import { createDecoder } from "../audio/decode/index.ts";
import { createModelStore } from "../catalog/manifest.ts";
import { SpeechError } from "../errors.ts";
import { createCluster } from "../pool/remote/cluster.ts";
import { createMachine } from "../pool/remote/machine.ts";
import { createNatsTransport } from "../pool/remote/nats-transport.ts";
import { DECODE_KIND } from "../pool/remote/remote-decoder.ts";
import { runSingle } from "../pool/remote/run-single.ts";
import type { Service } from "../pool/remote/service.ts";
import { endlessVoice, noFiles, refinementEntry, someVoice } from "../testing/refinement-jobs.ts";
import { wavFile } from "../testing/wav-file.ts";
import { ANALYSIS_KIND } from "../voices/clone/cloning-pools.ts";
import { createCloning } from "../voices/clone/index.ts";
import type { ClonedSound } from "../voices/clone/make-voice.ts";
import { refineVoice } from "../voices/clone/refine/refine-voice.ts";
import { createRefinementPool } from "../voices/clone/refine/refinement-pool.ts";
import { createRemoteRefinementPool, REFINEMENT_KIND } from "../voices/clone/refine/remote-refinement.ts";
import { createCloningServices } from "./cloning-services.ts";
import { refinementService } from "./refinement-service.ts";
import { decodeService, singleService } from "./services.ts";

const options = { skip: natsMissing, timeout: 90_000 };
const never = new AbortController().signal;

/** An api node and a machine, which has a process without models. */
async function clusterWith(context: TestContext, kinds: readonly string[], share = 1) {
  const nats = await startNatsServer();
  context.after(() => nats.kill());
  const folder = mkdtempSync(join(tmpdir(), "parlance-test-"));
  context.after(() => rmSync(folder, { recursive: true }));
  const decoder = createDecoder();
  context.after(() => decoder.close());
  const pool = createRefinementPool({ entry: refinementEntry });
  context.after(() => pool.close());
  const all = new Map<string, Service>([
    [DECODE_KIND, decodeService(decoder, folder)],
    [
      ANALYSIS_KIND,
      singleService(
        () => true,
        async () => new Float32Array(128).fill(1),
      ),
    ],
    [
      REFINEMENT_KIND,
      refinementService({
        isInstalled: () => true,
        share,
        encoderVersion: async () => someVoice.encoder,
        refine: (job, signal) => pool.refine(noFiles, job, signal),
        workFolder: folder,
      }),
    ],
  ]);
  const services = new Map([...all].filter(([kind]) => kinds.includes(kind)));
  const machine = createMachine(createNatsTransport(nats.url), { name: "machine", services: () => services });
  context.after(() => machine.close());
  const cluster = createCluster(createNatsTransport(nats.url));
  context.after(() => cluster.close());
  await until(() => kinds.every((kind) => cluster.workers(kind) > 0), { what: "the machine has joined" });
  const models = createModelStore({ directory: "/nonexistent" });
  const cloning = await createCloning({ models, minSeconds: 1, maxSeconds: 120, cluster });
  context.after(() => cloning.close());
  return { cluster, cloning, machine, pool, folder };
}

const allKinds = [DECODE_KIND, ANALYSIS_KIND, REFINEMENT_KIND];

it(
  "refines a voice with all samples of its recordings, and returns what the process made",
  options,
  async (context) => {
    const { cloning, folder } = await clusterWith(context, allKinds);
    const recordings = [1, 2].map((seconds) => {
      const path = join(tmpdir(), `parlance-test-${process.pid}-${seconds}.wav`);
      context.after(() => rmSync(path));
      writeFileSync(path, wavFile([new Float32Array(seconds * 16_000).fill(0.1)], { sampleRate: 16_000 }));
      return path;
    });
    assert.equal(cloning.canRefine(), true);
    const { voice, similarity } = await cloning.refine({ recordings, voice: someVoice, share: 0.5 }, never);
    assert.deepEqual({ ...voice, embedding: 0, decoderOffsets: 0 }, { ...someVoice, embedding: 0, decoderOffsets: 0 });
    assert.ok(voice?.embedding.every((value) => value === 0.5));
    assert.ok(voice?.decoderOffsets?.every((bytes) => bytes === 3 * 16_000 * 2));
    assert.deepEqual(similarity, { before: 0.5, after: 0.6 });
    assert.deepEqual(readdirSync(folder), []);
  },
);

it("takes recordings that are longer than one job may be, and empty ones", options, async (context) => {
  const { cluster, folder } = await clusterWith(context, [REFINEMENT_KIND]);
  const sizes = [0, 12 * 2 ** 20, 0, 8 * 2 ** 20 + 2];
  const sent = mkdtempSync(join(tmpdir(), "parlance-test-"));
  context.after(() => rmSync(sent, { recursive: true }));
  const recordings = sizes.map((size, index) => {
    const path = join(sent, String(index));
    writeFileSync(path, Buffer.alloc(size));
    return { path };
  });
  const job = { voice: someVoice, recordings, share: 1 };
  const { refined } = await createRemoteRefinementPool(cluster).refine(noFiles, job, never);
  assert.equal(refined?.decoderOffsets[0], Math.fround(20 * 2 ** 20 + 2));
  assert.deepEqual(readdirSync(folder), []);
});

it("ends the work on a machine when the api node gives it up", options, async (context) => {
  const { cluster, machine, pool, folder } = await clusterWith(context, [REFINEMENT_KIND]);
  const leaving = new AbortController();
  const job = { voice: endlessVoice, recordings: [], share: 1 };
  const refining = createRemoteRefinementPool(cluster).refine(noFiles, job, leaving.signal);
  await until(() => pool.pids().length > 0, { what: "the process is ready", timeoutMs: 30_000 });
  leaving.abort(new Error("gone"));
  await assert.rejects(refining, /gone/);
  await until(() => pool.pids().length === 0 && machine.running === 0, { what: "the process has ended" });
  await until(() => readdirSync(folder).length === 0, { what: "its files are removed" });
});

it("uses the share of the machine where it is smaller than that of the job", options, async (context) => {
  const { cluster } = await clusterWith(context, [REFINEMENT_KIND], 0.25);
  for (const [share, used] of [
    [0.5, 0.25],
    [0.125, 0.125],
  ] as const) {
    const job = { voice: someVoice, recordings: [], share };
    const { refined } = await createRemoteRefinementPool(cluster).refine(noFiles, job, never);
    assert.equal(refined?.embedding[0], used);
  }
});

it("offers no refinement on a machine that gives no share to it", options, async () => {
  const models = createModelStore({ directory: "/nonexistent" });
  const installed = { ...models, has: async () => true };
  for (const [refinementShare, workers] of [
    [undefined, 1],
    [0.5, 1],
    [0, 0],
  ] as const) {
    const cloning = await createCloningServices(installed, { refinementShare });
    assert.equal(cloning.services.get(REFINEMENT_KIND)?.workers, workers);
    await cloning.close();
  }
});

it("takes one voice at a time, and leaves the next one to other machines", options, async (context) => {
  const { cluster, pool } = await clusterWith(context, [REFINEMENT_KIND]);
  const leaving = new AbortController();
  const run = (voice: ClonedSound, whenBusy: "wait" | "refuse", signal: AbortSignal) =>
    runSingle(cluster, REFINEMENT_KIND, { voice, share: 1, recordingBytes: [] }, { whenBusy, input: nothing }, signal);
  const first = run(endlessVoice, "wait", leaving.signal);
  await until(() => pool.pids().length > 0, { what: "the process is ready", timeoutMs: 30_000 });
  await assert.rejects(run(someVoice, "refuse", never), /no machine has room/);
  const waiting = run(someVoice, "wait", never);
  leaving.abort(new Error("gone"));
  await assert.rejects(first, /gone/);
  await waiting;
});

async function* nothing(): AsyncGenerator<Uint8Array> {}

it("refines no voice where the machines are of an earlier version", options, async (context) => {
  const { cloning } = await clusterWith(context, [DECODE_KIND, ANALYSIS_KIND]);
  assert.equal(cloning.canRefine(), false);
  assert.deepEqual(cloning.missingModels(), []);
  await assert.rejects(
    cloning.refine({ recordings: [], voice: someVoice, share: 1 }, never),
    (error) => error instanceof SpeechError && error.code === "overloaded",
  );
});

it("refuses a voice that another version of the voice encoder has made", options, async (context) => {
  const { cluster, pool, folder } = await clusterWith(context, [REFINEMENT_KIND]);
  const refine = (voice: ClonedSound) =>
    refineVoice(
      { recordings: ["a"], voice, share: 1, workFolder: folder },
      async (_, index) => {
        const path = join(folder, `${index}.pcm`);
        writeFileSync(path, Buffer.alloc(2 * 2 ** 20));
        return path;
      },
      (job) => createRemoteRefinementPool(cluster).refine(noFiles, job, never),
      never,
    );
  await assert.rejects(refine({ ...someVoice, encoder: "other" }), (error) => {
    assert.ok(error instanceof SpeechError && error.code === "not_ready" && error.retryAfterSeconds === 60);
    return /another version of the voice encoder .* upgrade all worker machines/.test(error.message);
  });
  assert.deepEqual(pool.pids(), []);
  for (const encoder of [someVoice.encoder, ""]) assert.ok((await refine({ ...someVoice, encoder })).voice);
});

it("refuses jobs that cannot be", options, async (context) => {
  const { cluster } = await clusterWith(context, [REFINEMENT_KIND]);
  const valid = { voice: someVoice, share: 1, recordingBytes: [2] };
  const input = (bytes: number) =>
    async function* () {
      yield new Uint8Array(bytes);
    };
  const send = (job: unknown, bytes: number) =>
    runSingle(cluster, REFINEMENT_KIND, job, { whenBusy: "wait", input: input(bytes) }, never);
  const withVoice = (change: object) => ({ ...valid, voice: { ...someVoice, ...change } });
  const withBytes = (recordingBytes: unknown) => ({ ...valid, recordingBytes });
  for (const job of [
    ...["job", { ...valid, voice: 1 }],
    ...[0, 0.001, 2, NaN].map((share) => ({ ...valid, share })),
    withVoice({ embedding: new Float32Array(127) }),
    withVoice({ embedding: Array.from(someVoice.embedding) }),
    withVoice({ prosody: "../../secret" }),
    withVoice({ encoder: undefined }),
    withBytes(undefined),
    withBytes({ 0: 2 }),
    withBytes([2 ** 40]),
    withBytes([100 * 2 ** 20, 100 * 2 ** 20]),
    withBytes(Array(21).fill(0)),
  ])
    await assert.rejects(send(job, 2), /cannot be read/);
  await assert.rejects(send(valid, 3), /more than it said/);
  await assert.rejects(send(valid, 1), /less than it said/);
});
