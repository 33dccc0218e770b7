/**
 * npm run bench -- cluster: api nodes (`--apis`, one by default) and 1, 2, 10 and 100 worker machines that make tones, in few processes, with more
 * listeners than they can serve. Measures streams held, the time to first audio, messages and processor time. The work of a
 * machine is simulated by waiting; `--rate` sets how many samples a second are sent. With `--listeners` there are as many for
 * any number of machines, so that the CPU time of the api node shows what a machine costs it. `--real` compares Piper on this
 * machine with Piper over NATS.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startPostgres } from "../packages/server/src/testing/postgres.ts";
import { createNatsTransport } from "../packages/speech/src/pool/remote/nats-transport.ts";
import { compileTests } from "../scripts/compile-tests.ts";
import { type ClusterProcess, createClusterProcesses } from "../tests/cluster/cluster-processes.ts";
import { startNatsServer } from "../tests/support/nats-server.ts";
import { until } from "../tests/support/until.ts";
import { benchFirstAudio } from "./cluster/first-audio.ts";
import { listen } from "./cluster/listeners.ts";
import { LONG_TEXT, playStream } from "./cluster/play-stream.ts";
import { cpuSecondsOf, measureProcesses } from "./process-usage.ts";
import { median, quantile, round } from "./statistics.ts";

const KEY = "key-of-the-bench-0123456789abcdef";
/** Two streams fit on a machine: 0.7 of it may be planned, and each takes 0.32. */
const COST = 0.32;
const STREAMS_PER_MACHINE = 2;
/** Listeners for each stream that fits. */
const OFFERED = 2;
const MACHINES_PER_PROCESS = 50;
const IDLE_REQUESTS = 15;
const WARM_UP_MS = 12_000;
const MEASURE_MS = 20_000;
/** Above this share of all cores, the figures say more about this machine than about the cluster. */
const MACHINE_FULL = 0.85;

export async function benchCluster(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      real: { type: "boolean", default: false },
      machines: { type: "string", default: "1,2,10,100" },
      rate: { type: "string", default: "8000" },
      listeners: { type: "string" },
      apis: { type: "string", default: "1" },
    },
  });
  if (values.real) return benchFirstAudio();
  await compileTests();
  const figures: Record<string, Awaited<ReturnType<typeof measure>>> = {};
  for (const machines of values.machines.split(",").map(Number)) {
    const listeners = Number(values.listeners ?? OFFERED * STREAMS_PER_MACHINE * machines);
    figures[`${machines} machines`] = await measure(machines, listeners, Number(values.rate), Number(values.apis));
  }
  console.table(figures);
  const one = values.listeners === undefined ? figures["1 machines"]?.held : undefined;
  for (const machines of [2, 10, 100]) {
    const row = figures[`${machines} machines`];
    if (row === undefined || one === undefined) continue;
    const growth = row.held / one / machines;
    const full = row["CPU of this machine"] > MACHINE_FULL ? "; this machine was full" : "";
    console.log(
      `${growth >= 0.9 ? "✓" : "✗"} ${machines} machines hold ${round(growth, 2)} × ${machines} times the streams of one${full}`,
    );
  }
  const last = Object.values(figures).at(-1);
  if (last)
    console.log(
      `one core of an api node sends about ${round(1 / last["api CPU s per s of audio"])} streams of this format`,
    );
  return figures;
}

async function measure(machines: number, listeners: number, rate: number, apis: number) {
  const data = await mkdtemp(join(tmpdir(), "parlance-cluster-"));
  const nats = await startNatsServer();
  // Several nodes share a database over the network, as on several machines.
  const postgres = apis > 1 ? await startPostgres() : undefined;
  const processes = createClusterProcesses({ compiled: true });
  const counter = createNatsTransport(nats.url);
  try {
    const settings = {
      PARLANCE_PORT: "0",
      ...(postgres ? { PARLANCE_DATABASE_URL: postgres.url } : {}),
      PARLANCE_NATS_URL: nats.url,
      PARLANCE_ROLE: "api",
      PARLANCE_ADMIN_KEY: KEY,
      PARLANCE_QUEUE: "1000",
      PARLANCE_CONCURRENCY: "10000",
      PARLANCE_REQUESTS_PER_MINUTE: "0",
    };
    const nodes: ClusterProcess[] = [];
    for (let index = 0; index < apis; index++)
      nodes.push(await processes.startNode({ ...settings, PARLANCE_DATA: join(data, `${index}`) }));
    const machineProcesses: ClusterProcess[] = [];
    const names = Array.from({ length: machines }, (_, index) => `m${index}`);
    for (let from = 0; from < machines; from += MACHINES_PER_PROCESS) {
      const own = names.slice(from, from + MACHINES_PER_PROCESS);
      const pool = { workers: 1, cost: COST, rate };
      machineProcesses.push(await processes.startMachines({ url: nats.url, names: own, pool }));
    }
    let messages = 0;
    counter.subscribe("parlance.>", () => {
      messages++;
    });
    for (const { url } of nodes)
      await until(async () => (await fetch(`${url}/health/ready`)).ok, { what: "the node is ready", everyMs: 100 });
    // All machines have reported once a few rounds of reports have passed.
    await until(() => messages >= 3 * machines, { what: "all machines report", everyMs: 100 });

    const request = { urls: nodes.map(({ url }) => url), key: KEY, rate };
    const idle: number[] = [];
    for (let count = 0; count < IDLE_REQUESTS; count++) {
      const { firstAudioMs } = await playStream({ ...request, url: request.urls[0] ?? "", text: "One." });
      if (firstAudioMs !== undefined) idle.push(firstAudioMs);
    }
    const before = {
      api: await cpuOf(nodes),
      machines: await cpuOf(machineProcesses),
      nats: cpuSecondsOf(nats.pid),
      own: process.cpuUsage(),
      messages,
      at: performance.now(),
    };
    const usage = measureProcesses(process.pid);
    const { streams, refusals, held } = await listen(
      { ...request, text: LONG_TEXT },
      { listeners, warmUpMs: WARM_UP_MS, measureMs: MEASURE_MS },
    );
    const seconds = (performance.now() - before.at) / 1000;
    const cpu = (await cpuOf(nodes)) - before.api;
    const used = process.cpuUsage(before.own);
    const cores = (cpuSeconds: number): number => round(cpuSeconds / seconds, 3);
    return {
      held: round(held, 1),
      streams: streams.length,
      stuttered: streams.filter(({ stutters }) => stutters > 0).length,
      "refused per s": round(refusals.length / seconds, 1),
      "refused without a time": refusals.filter(({ retryAfter }) => !(retryAfter > 0)).length,
      "first audio ms, idle": round(median(idle), 1),
      "first audio ms, loaded p90": round(
        quantile(
          streams.map(({ firstAudioMs = 0 }) => firstAudioMs),
          0.9,
        ),
      ),
      "messages per s": round((messages - before.messages) / seconds),
      "CPU of an api node, of a core": cores(cpu / apis),
      "CPU of NATS": cores(cpuSecondsOf(nats.pid) - before.nats),
      "CPU of the machines": cores((await cpuOf(machineProcesses)) - before.machines),
      "CPU of the listeners": cores((used.user + used.system) / 1e6),
      "api CPU s per s of audio": round(cpu / seconds / Math.max(1, held), 5),
      "CPU of this machine": round(usage.end().cpuSeconds / seconds / availableParallelism(), 2),
    };
  } finally {
    await counter.close();
    await processes.close();
    await nats.kill();
    await postgres?.stop();
    await rm(data, { recursive: true, force: true });
  }
}

async function cpuOf(processes: readonly ClusterProcess[]): Promise<number> {
  const reports = await Promise.all(processes.map((each) => each.report()));
  return reports.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
}
