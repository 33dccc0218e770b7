/**
 * The time to first audio of Piper in this machine's own pool and on two worker machines over NATS, one request of each after
 * the other. Throws when they do not give the same audio.
 */
import assert from "node:assert/strict";
import {
  createModelStore,
  createSpeech,
  createWorker,
  defaultModelsDirectory,
  defaultRequest,
  joinCluster,
  type Speech,
} from "@parlance/speech";
import { startNatsServer } from "../../tests/support/nats-server.ts";
import { until } from "../../tests/support/until.ts";
import { median, quantile, round } from "../statistics.ts";

const REQUESTS = 40;
const WARM_UP = 5;
const COMPARED = 3;
const engines = ["piper"] as const;

export async function benchFirstAudio() {
  const nats = await startNatsServer();
  const models = createModelStore({ directory: defaultModelsDirectory(process.env) });
  await models.pull(["piper-libritts"]);
  const options = { models, url: nats.url, workers: 1, engines, cloning: false };
  const workers = await Promise.all(["one", "two"].map((name) => createWorker({ ...options, name })));
  const cluster = joinCluster(nats.url);
  await until(() => cluster.workers("speech.piper") === 2, { what: "both machines have joined" });
  const near = await createSpeech({ models, engines, workers: 1 });
  const far = await createSpeech({ models, engines, cluster });
  for (let seed = 1; seed <= COMPARED; seed++) {
    const [here, there] = [await audioOf(near, seed), await audioOf(far, seed)];
    assert.ok(here.length > 0 && here.equals(there), `the audio of seed ${seed} is the same`);
  }
  const times = { near: [] as number[], far: [] as number[] };
  for (let count = 0; count < REQUESTS + WARM_UP; count++) {
    const measured = { near: await firstAudioMs(near, count), far: await firstAudioMs(far, count) };
    if (count < WARM_UP) continue;
    times.near.push(measured.near);
    times.far.push(measured.far);
  }
  const differences = times.far.map((ms, index) => ms - (times.near[index] ?? 0));
  const figures = {
    "own pool, median ms": round(median(times.near), 1),
    "over NATS, median ms": round(median(times.far), 1),
    "median difference ms": round(median(differences), 1),
    "difference of the medians ms": round(median(times.far) - median(times.near), 1),
    "difference, lowest quarter ms": round(quantile(times.far, 0.25) - quantile(times.near, 0.25), 1),
  };
  console.table(figures);
  await Promise.all([near.close(), far.close(), cluster.close()]);
  for (const worker of workers) await worker.close(AbortSignal.abort());
  await nats.kill();
  return figures;
}

/** Takes the whole audio: what is left of a cancelled stream would delay the next one. */
async function firstAudioMs(speech: Speech, seed: number): Promise<number> {
  const from = performance.now();
  let first: number | undefined;
  for await (const { bytes } of speak(speech, seed)) if (bytes.length > 0) first ??= performance.now() - from;
  if (first === undefined) throw new Error("no audio");
  return first;
}

async function audioOf(speech: Speech, seed: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const { bytes } of speak(speech, seed)) parts.push(bytes);
  return Buffer.concat(parts);
}

function speak(speech: Speech, seed: number) {
  const voice = speech.defaultVoice();
  if (!voice) throw new Error("no voice is installed");
  const output = { format: "pcm", sampleRate: 24_000, mp3Bitrate: 128, opusBitrate: "auto" } as const;
  const request = defaultRequest("The first words are heard at once, the others follow.", voice, { output, seed });
  return speech.speak(request, AbortSignal.timeout(60_000));
}
