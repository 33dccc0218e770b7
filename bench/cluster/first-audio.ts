/** The time to first audio of Piper in this machine's own pool and over NATS, one request of each after the other. */
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

const REQUESTS = 60;
const WARM_UP = 5;
const engines = ["piper"] as const;

export async function benchFirstAudio() {
  const nats = await startNatsServer();
  const models = createModelStore({ directory: defaultModelsDirectory(process.env) });
  await models.pull(["piper-libritts"]);
  const worker = await createWorker({ models, url: nats.url, name: "far", workers: 1, engines, cloning: false });
  const cluster = joinCluster(nats.url);
  await until(() => cluster.workers("speech.piper") === 1, { what: "the machine has joined" });
  const near = await createSpeech({ models, engines, workers: 1 });
  const far = await createSpeech({ models, engines, cluster });
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
  await worker.close(AbortSignal.abort());
  await nats.kill();
  return figures;
}

async function firstAudioMs(speech: Speech, seed: number): Promise<number> {
  const voice = speech.defaultVoice();
  if (!voice) throw new Error("no voice is installed");
  const output = { format: "pcm", sampleRate: 24_000, mp3Bitrate: 128, opusBitrate: "auto" } as const;
  const request = defaultRequest("The first words are heard at once, the others follow.", voice, { output, seed });
  const from = performance.now();
  for await (const { bytes } of speech.speak(request, AbortSignal.timeout(60_000))) {
    if (bytes.length > 0) return performance.now() - from;
  }
  throw new Error("no audio");
}
