import assert from "node:assert/strict";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { natsMissing, startNatsServer } from "../../../../tests/support/nats-server.ts";
import { until } from "../../../../tests/support/until.ts";
import { createModelStore } from "../catalog/manifest.ts";
import { joinCluster } from "../join-cluster.ts";
import { testModels } from "../testing/models.ts";
import { realSpeech } from "../testing/real-speech.ts";
import { someVoice } from "../testing/refinement-jobs.ts";
import { createCloning } from "../voices/clone/index.ts";
import { REFINEMENT_KIND } from "../voices/clone/refine/remote-refinement.ts";
import { voiceEncoderVersion } from "../voices/clone/voice-encoder-version.ts";
import { createWorker } from "./create-worker.ts";

const never = new AbortController().signal;

it("a machine that leaves does not wait for the voice that it refines, which goes to one that joins later", {
  skip: natsMissing,
  timeout: 120_000,
}, async (context) => {
  const models = await testModels("kokoro-q8", "xvector", "silero-vad", "test-speech");
  const nats = await startNatsServer();
  context.after(() => nats.kill());
  const join = async () => {
    const worker = await createWorker({ models, url: nats.url, engines: [] });
    context.after(() => worker.close(AbortSignal.abort()));
    return worker;
  };
  const worker = await join();
  const cluster = joinCluster(nats.url);
  context.after(() => cluster.close());
  await until(() => cluster.workers(REFINEMENT_KIND) > 0, { what: "the machine has joined" });
  const none = createModelStore({ directory: "/nonexistent" });
  const cloning = await createCloning({ models: none, minSeconds: 1, maxSeconds: 120, cluster });
  context.after(() => cloning.close());
  const recordings = realSpeech(models).map(({ path }) => path);
  // With this share it takes an hour.
  const ending = new AbortController();
  const voice = { ...someVoice, encoder: await voiceEncoderVersion() };
  const refining = cloning.refine({ recordings, voice, share: 0.05 }, ending.signal);
  const ended = assert.rejects(refining, /enough/);
  await until(() => cluster.queued(REFINEMENT_KIND) > 0 && worker.running > 0, { what: "the machine has the voice" });
  await worker.close(never);
  // Most jobs fail when there is no machine for two seconds.
  await sleep(3000);
  const next = await join();
  await until(() => next.running > 0, { what: "the next machine has the voice" });
  ending.abort(new Error("enough"));
  await ended;
});
