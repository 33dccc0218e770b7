import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type NatsServer, natsMissing, startNatsServer } from "../../../../tests/support/nats-server.ts";
import { createModelStore } from "../catalog/manifest.ts";
import { AudioError } from "../errors.ts";
import { joinCluster } from "../join-cluster.ts";
import type { ModelStore } from "../models/index.ts";
import type { Cluster } from "../pool/remote/cluster.ts";
import { runSingle } from "../pool/remote/run-single.ts";
import { createTranscription } from "../recognition/index.ts";
import { createSpeech } from "../synthesis/create-speech.ts";
import { defaultRequest } from "../synthesis/default-request.ts";
import { testModels } from "../testing/models.ts";
import { realSpeech } from "../testing/real-speech.ts";
import { recordSpans } from "../testing/record-spans.ts";
import { spokenSamples, transcribeLive } from "../testing/transcribe-live.ts";
import { untilWorkers } from "../testing/until-workers.ts";
import { wordErrors } from "../testing/word-errors.ts";
import { createCloning } from "../voices/clone/index.ts";
import { createWorker, type Worker } from "./create-worker.ts";

const never = new AbortController().signal;
const engines = ["piper"] as const;
const text = "One machine answers, and another one speaks. Nobody can hear which of the two it was.";

describe("two worker machines and a node without models", { skip: natsMissing }, () => {
  let nats: NatsServer;
  let models: ModelStore;
  let none: ModelStore;
  let workers: Worker[];
  let cluster: Cluster;
  before(async () => {
    models = await testModels("piper-libritts", "kokoro-q8", "xvector", "silero-vad", "moonshine-base", "test-speech");
    none = createModelStore({ directory: "/nonexistent" });
    nats = await startNatsServer();
    const options = { models, url: nats.url, workers: 1, recognitionWorkers: 1, engines };
    workers = await Promise.all(["one", "two"].map((name) => createWorker({ ...options, name })));
    cluster = joinCluster(nats.url);
    await untilWorkers(() => cluster.workers("speech.piper") === 2, "both machines have joined");
  });
  after(async () => {
    await cluster.close();
    for (const worker of workers) await worker.close(AbortSignal.abort());
    await nats.kill();
  });

  it("speaks as one machine does, bit by bit", async () => {
    const remote = await createSpeech({ models: none, engines, cluster });
    const local = await createSpeech({ models, engines, workers: 1 });
    try {
      const voice = remote.defaultVoice();
      assert.ok(voice);
      const output = { format: "pcm", sampleRate: 24_000, mp3Bitrate: 128, opusBitrate: "auto" } as const;
      const request = defaultRequest(text, voice, { output, seed: 7 });
      const [far, near] = await Promise.all([remote, local].map((speech) => bytesOf(speech.speak(request, never))));
      assert.ok(far && near && near.length > 100_000);
      assert.ok(far.equals(near));
      assert.deepEqual(remote.voices(), local.voices());
    } finally {
      await remote.close();
      await local.close();
    }
  });

  it("transcribes as one machine does, and refuses what is no audio", async () => {
    const remote = await createTranscription({ models: none, cluster });
    const local = await createTranscription({ models, workers: 1 });
    try {
      const path = realSpeech(models)[0]?.path ?? "";
      const request = { path, granularity: "word", language: "en" } as const;
      const near = await local.transcribe(request, never);
      assert.ok(near.text.length > 20);
      assert.deepEqual(await remote.transcribe(request, never), near);
      assert.deepEqual(remote.engines(), local.engines());
      await assert.rejects(remote.transcribe({ ...request, path: import.meta.filename }, never), AudioError);
    } finally {
      await remote.close();
      await local.close();
    }
  });

  it("makes the voice that one machine makes", async () => {
    const limits = { minSeconds: 1, maxSeconds: 120 };
    const remote = await createCloning({ ...limits, models: none, cluster });
    const local = await createCloning({ ...limits, models });
    try {
      assert.deepEqual([remote.canRefine(), local.canRefine()], [true, true]);
      const recordings = [realSpeech(models)[0]?.path ?? ""];
      const request = { recordings, enhance: false, keepSpeech: false };
      const far = await remote.create(request, never);
      assert.deepEqual(far.voice, (await local.create(request, never)).voice);
    } finally {
      await remote.close();
      await local.close();
    }
  });

  it("refuses to encode a voice for another engine, as an api node of another version may ask", async () => {
    const speaker = { vector: new Float32Array(128).fill(128 ** -0.5), pitch: 160 };
    for (const job of [speaker, { speaker, engine: "piper" }])
      await assert.rejects(
        runSingle(cluster, "analysis", job, { whenBusy: "wait" }, never),
        /voices are made for kokoro here: upgrade the machine/,
      );
  });

  it("shares the work with a node that has workers of its own", async () => {
    const both = await createSpeech({ models, engines, workers: 1, cluster, ownWorkers: true, keepAhead: false });
    try {
      const voice = both.defaultVoice();
      assert.ok(voice);
      const output = { format: "pcm", sampleRate: 24_000, mp3Bitrate: 128, opusBitrate: "auto" } as const;
      const { span: trace, spans } = recordSpans();
      const request = { ...defaultRequest(text, voice, { output, seed: 7 }), trace };
      const streams = await Promise.all([1, 2, 3].map(() => bytesOf(both.speak(request, never))));
      for (const stream of streams) assert.ok(streams[0]?.equals(stream));
      const machines = new Set(
        spans.flatMap(({ attributes }) => ("worker" in attributes ? [attributes.machine ?? "here"] : [])),
      );
      assert.ok(machines.has("here") && machines.size > 1, [...machines].join());
    } finally {
      await both.close();
    }
  });

  it("recognizes live audio as one machine does, and repeats a turn when its machine is lost", async () => {
    const remote = await createTranscription({ models: none, cluster });
    try {
      const clip = realSpeech(models)[0];
      let leaving: Promise<void> | undefined;
      const { finals } = await transcribeLive(remote, spokenSamples(clip), { language: "en" }, (event) => {
        if (event.type === "partial") leaving ??= workers[0]?.close(AbortSignal.abort());
      });
      assert.ok(leaving);
      await leaving;
      const heard = finals.map((final) => final.text).join(" ");
      assert.ok(wordErrors(clip?.text ?? "", heard).errors <= 2, heard);
    } finally {
      await remote.close();
    }
  });
});

async function bytesOf(parts: AsyncIterable<{ readonly bytes: Uint8Array }>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const { bytes } of parts) pieces.push(bytes);
  return Buffer.concat(pieces);
}
