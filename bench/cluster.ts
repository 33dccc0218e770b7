/**
 * npm run bench -- cluster: one api node and 1, 2, 10 and 100 worker machines that make tones, in few processes. Measures streams
 * held, the time to first audio, messages and processor time. `--real` compares the time to first audio of Piper on this machine
 * with Piper over NATS.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createNatsTransport } from "../packages/speech/src/pool/remote/nats-transport.ts";
import { createClusterProcesses } from "../tests/cluster/cluster-processes.ts";
import { startNatsServer } from "../tests/support/nats-server.ts";
import { until } from "../tests/support/until.ts";
import { benchFirstAudio } from "./cluster/first-audio.ts";
import { LONG_TEXT, playStream, type Stream } from "./cluster/play-stream.ts";
import { median, quantile, round } from "./statistics.ts";

const KEY = "key-of-the-bench-0123456789abcdef";
/** Two streams fit on a machine: 0.7 of it may be planned, and each takes 0.32. */
const COST = 0.32;
const STREAMS_PER_MACHINE = 2;
const OFFERED = 1.5;
const OFFER_EVERY_MS = 20;
const MACHINES_PER_PROCESS = 25;
const IDLE_REQUESTS = 15;

export async function benchCluster(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: { real: { type: "boolean", default: false }, machines: { type: "string", default: "1,2,10,100" } },
  });
  if (values.real) return benchFirstAudio();
  const figures: Record<string, Awaited<ReturnType<typeof measure>>> = {};
  for (const machines of values.machines.split(",").map(Number))
    figures[`${machines} machines`] = await measure(machines);
  console.table(figures);
  const one = figures["1 machines"]?.held ?? STREAMS_PER_MACHINE;
  for (const machines of [2, 10]) {
    const held = figures[`${machines} machines`]?.held;
    if (held === undefined) continue;
    const growth = held / one / machines;
    console.log(
      `${growth >= 0.9 ? "✓" : "✗"} ${machines} machines hold ${round(growth, 2)} × ${machines} times the streams of one`,
    );
  }
  const last = Object.values(figures).at(-1);
  if (last)
    console.log(
      `one core of an api node sends about ${round(1 / last["api CPU s per s of audio"])} streams of this format`,
    );
  return figures;
}

async function measure(machines: number) {
  const data = await mkdtemp(join(tmpdir(), "parlance-cluster-"));
  const nats = await startNatsServer();
  const processes = createClusterProcesses();
  const counter = createNatsTransport(nats.url);
  try {
    const node = await processes.startNode({
      PARLANCE_PORT: "0",
      PARLANCE_DATA: data,
      PARLANCE_NATS_URL: nats.url,
      PARLANCE_ROLE: "api",
      PARLANCE_ADMIN_KEY: KEY,
      PARLANCE_QUEUE: "1000",
      PARLANCE_CONCURRENCY: "10000",
      PARLANCE_REQUESTS_PER_MINUTE: "0",
    });
    const names = Array.from({ length: machines }, (_, index) => `m${index}`);
    for (let from = 0; from < machines; from += MACHINES_PER_PROCESS) {
      const own = names.slice(from, from + MACHINES_PER_PROCESS);
      await processes.startMachines({ url: nats.url, names: own, pool: { workers: 1, cost: COST } });
    }
    let messages = 0;
    counter.subscribe("parlance.>", () => {
      messages++;
    });
    await until(async () => (await fetch(`${node.url}/health/ready`)).ok, { what: "the node is ready", everyMs: 100 });
    // All machines have reported once a few rounds of reports have passed.
    await until(() => messages >= 3 * machines, { what: "all machines report", everyMs: 100 });

    const idle: number[] = [];
    for (let count = 0; count < IDLE_REQUESTS; count++) {
      const { firstAudioMs } = await playStream(node.url, KEY, "One.");
      if (firstAudioMs !== undefined) idle.push(firstAudioMs);
    }
    const before = { report: await node.report(), messages, at: performance.now() };
    const offered = Math.ceil(OFFERED * STREAMS_PER_MACHINE * machines);
    const playing: Promise<Stream>[] = [];
    for (let count = 0; count < offered; count++) {
      playing.push(playStream(node.url, KEY, LONG_TEXT));
      await new Promise((resolve) => setTimeout(resolve, OFFER_EVERY_MS));
    }
    const streams = await Promise.all(playing);
    const seconds = (performance.now() - before.at) / 1000;
    const { cpuSeconds } = await node.report();
    const accepted = streams.filter(({ status }) => status === 200);
    const audioSeconds = accepted.reduce((sum, stream) => sum + stream.audioSeconds, 0);
    const cpu = cpuSeconds - before.report.cpuSeconds;
    return {
      offered,
      held: accepted.length,
      stuttered: accepted.filter(({ stutters }) => stutters > 0).length,
      "refused without a time": streams.filter(({ status, retryAfter }) => status !== 200 && !(retryAfter > 0)).length,
      "first audio ms, idle": round(median(idle), 1),
      "first audio ms, loaded p90": round(
        quantile(
          accepted.map(({ firstAudioMs = 0 }) => firstAudioMs),
          0.9,
        ),
      ),
      "messages per s": round((messages - before.messages) / seconds),
      "api CPU of a core": round(cpu / seconds, 3),
      "api CPU s per s of audio": round(cpu / Math.max(1, audioSeconds), 5),
    };
  } finally {
    await counter.close();
    await processes.close();
    await nats.kill();
    await rm(data, { recursive: true, force: true });
  }
}
