/**
 * npm run bench -- cluster: api nodes (`--apis`, one by default) and 1, 2, 10 and 100 worker machines that make tones, in few
 * processes, with more listeners than they can serve. Measures streams held, the time to first audio, messages and processor
 * time. The work of a machine is simulated by waiting; `--rate` sets how many samples a second are sent. With `--listeners`
 * there are as many for any number of machines, so that the CPU time of the api node shows what a machine costs it. Several
 * api nodes share a PostgreSQL; `--postgres` gives one to a single node, too, so that the two can be compared. `--real`
 * compares Piper on this machine with Piper over NATS.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { createKeys, openStore } from "@parlance/server";
import { startPostgres } from "../packages/server/src/testing/postgres.ts";
import { insertUser } from "../packages/server/src/testing/wallet-user.ts";
import { compileTests } from "../scripts/compile-tests.ts";
import { type ClusterProcess, createClusterProcesses } from "../tests/cluster/cluster-processes.ts";
import { startNatsServer } from "../tests/support/nats-server.ts";
import { until } from "../tests/support/until.ts";
import { benchFirstAudio } from "./cluster/first-audio.ts";
import { listen } from "./cluster/listeners.ts";
import { countMessages } from "./cluster/message-counter.ts";
import { LONG_TEXT, playStream } from "./cluster/play-stream.ts";
import { cpuSecondsOf, cpuSecondsOfTree, measureProcesses } from "./process-usage.ts";
import { median, quantile, round } from "./statistics.ts";

/** Requests of one account wait for each other at its wallet, and a full cluster does not serve a single account. */
const LISTENERS_PER_ACCOUNT = 10;
/** Two streams fit on a machine: 0.7 of it may be planned, and each takes 0.32. */
const COST = 0.32;
const STREAMS_PER_MACHINE = 2;
/** Listeners for each stream that fits. */
const OFFERED = 2;
const MACHINES_PER_PROCESS = 50;
const IDLE_REQUESTS = 15;
/** How often the event loop of the listeners is asked. */
const DELAY_RESOLUTION_MS = 20;
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
      postgres: { type: "boolean", default: false },
    },
  });
  if (values.real) return benchFirstAudio();
  await compileTests();
  const figures: Record<string, Awaited<ReturnType<typeof measure>>> = {};
  for (const machines of values.machines.split(",").map(Number)) {
    const listeners = Number(values.listeners ?? OFFERED * STREAMS_PER_MACHINE * machines);
    const options = { machines, listeners, rate: Number(values.rate), apis: Number(values.apis) };
    figures[`${machines} machines`] = await measure({ ...options, postgres: values.postgres || options.apis > 1 });
  }
  console.table(transposed(figures));
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

interface ClusterSize {
  readonly machines: number;
  readonly listeners: number;
  /** Samples per second. */
  readonly rate: number;
  readonly apis: number;
  readonly postgres: boolean;
}

async function measure({ machines, listeners, rate, apis, postgres: hasPostgres }: ClusterSize) {
  const data = await mkdtemp(join(tmpdir(), "parlance-cluster-"));
  const nats = await startNatsServer();
  const postgres = hasPostgres ? await startPostgres() : undefined;
  const processes = createClusterProcesses({ compiled: true });
  const messages = countMessages(nats.url);
  try {
    const settings = {
      PARLANCE_PORT: "0",
      ...(postgres ? { PARLANCE_DATABASE_URL: postgres.url } : {}),
      PARLANCE_NATS_URL: nats.url,
      PARLANCE_ROLE: "api",
      PARLANCE_QUEUE: "1000",
      PARLANCE_CONCURRENCY: "10000",
      PARLANCE_REQUESTS_PER_MINUTE: "0",
    };
    const accounts = Math.ceil(listeners / LISTENERS_PER_ACCOUNT);
    const keys = await makeAccounts({ data: join(data, "0"), databaseUrl: postgres?.url }, accounts);
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
    for (const { url } of nodes)
      await until(async () => (await fetch(`${url}/health/ready`)).ok, { what: "the node is ready", everyMs: 100 });
    // All machines have reported once a few rounds of reports have passed.
    await until(() => messages.total >= 3 * machines, { what: "all machines report", everyMs: 100 });

    const request = { urls: nodes.map(({ url }) => url), keys, rate };
    const idle: number[] = [];
    for (let count = 0; count < IDLE_REQUESTS; count++) {
      const { firstAudioMs } = await playStream({ url: nodes[0]?.url ?? "", key: keys[0] ?? "", rate, text: "One." });
      if (firstAudioMs !== undefined) idle.push(firstAudioMs);
    }
    const readUsage = async () => ({
      api: await usageOf(nodes),
      machines: await usageOf(machineProcesses),
      nats: cpuSecondsOf(nats.pid),
      postgres: postgres ? cpuSecondsOfTree(postgres.pid) : 0,
      messages: messages.total,
      starts: messages.count("start"),
      busy: messages.count("busy"),
      at: performance.now(),
    });
    const before = await readUsage();
    const own = process.cpuUsage();
    const ownDelay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
    ownDelay.enable();
    const usage = measureProcesses(process.pid);
    const { streams, refusals, held } = await listen(
      { ...request, text: LONG_TEXT },
      { listeners, warmUpMs: WARM_UP_MS, measureMs: MEASURE_MS },
    );
    const after = await readUsage();
    const seconds = (after.at - before.at) / 1000;
    const cpu = after.api.cpuSeconds - before.api.cpuSeconds;
    const used = process.cpuUsage(own);
    const cores = (cpuSeconds: number): number => round(cpuSeconds / seconds, 3);
    const perSecond = (count: number): number => round(count / seconds, 1);
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
      "messages per s": perSecond(after.messages - before.messages),
      "jobs sent per s": perSecond(after.starts - before.starts),
      "of them busy": perSecond(after.busy - before.busy),
      "CPU of an api node, of a core": cores(cpu / apis),
      "loop of an api node late, p99 ms": round(after.api.loopDelayMs),
      "loop of the machines late, p99 ms": round(after.machines.loopDelayMs),
      "loop of the listeners late, p99 ms": round(ownDelay.percentile(99) / 1e6 - DELAY_RESOLUTION_MS),
      "CPU of NATS": cores(after.nats - before.nats),
      "CPU of PostgreSQL": cores(after.postgres - before.postgres),
      "CPU of the machines": cores(after.machines.cpuSeconds - before.machines.cpuSeconds),
      "CPU of the listeners": cores((used.user + used.system) / 1e6),
      "api CPU s per s of audio": round(cpu / seconds / Math.max(1, held), 5),
      "CPU of this machine": round(usage.end().cpuSeconds / seconds / availableParallelism(), 2),
    };
  } finally {
    await messages.close();
    await processes.close();
    await nats.kill();
    await postgres?.stop();
    await rm(data, { recursive: true, force: true });
  }
}

async function makeAccounts(place: Parameters<typeof openStore>[0], count: number): Promise<string[]> {
  const store = await openStore(place, () => {});
  const keys: string[] = [];
  for (let index = 0; index < count; index++)
    keys.push((await createKeys(store).create(await insertUser(store, { plan: "unlimited" }), "bench")).secret);
  await store.close();
  return keys;
}

/** One line for each figure, since there are more figures than sizes. */
function transposed(figures: Readonly<Record<string, Readonly<Record<string, number>>>>) {
  const names = Object.keys(Object.values(figures)[0] ?? {});
  return Object.fromEntries(
    names.map((name) => [name, Object.fromEntries(Object.entries(figures).map(([size, row]) => [size, row[name]]))]),
  );
}

async function usageOf(processes: readonly ClusterProcess[]) {
  const reports = await Promise.all(processes.map((each) => each.report()));
  return {
    cpuSeconds: reports.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
    loopDelayMs: Math.max(...reports.map(({ loopDelayMs }) => loopDelayMs)),
  };
}
