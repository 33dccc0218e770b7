/** npm run soak -- --minutes N: a mixed load with faults. Exits with 1 when a check fails. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createRandom } from "../load/traffic.ts";
import { startBenchServer } from "../server-handle.ts";
import { round } from "../statistics.ts";
import { type ClientAction, createClients } from "./clients.ts";
import { killWorkers } from "./kill-workers.ts";
import { checkLedger } from "./ledger-check.ts";
import { afterWarmUp, rise, type Sample, slope } from "./memory.ts";
import { makeRecording } from "./recording.ts";
import { createResults, KINDS, OUTCOMES, type Results } from "./results.ts";

const usage = `usage: npm run soak -- [options]

Runs many clients (speech, transcription, voices) against its own server, kills worker processes, aborts requests,
and checks that nothing was lost, charged twice or leaked.

  --minutes N      how long (10)
  --seed N         the seed of the random faults (1)
  --kill-every S   seconds between two kills of a worker, on average (10); 0: none
  --keep           keep the data folder and print its path
  --help`;

const { values: given } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
    "kill-every": { type: "string", default: "10" },
    keep: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const minutes = Number(given.minutes);
const seed = Number(given.seed);
const killEvery = Number(given["kill-every"]);
if (given.help || !(minutes > 0) || !Number.isInteger(seed) || !(killEvery >= 0)) {
  console.log(usage);
  process.exit(given.help ? 0 : 2);
}

const SAMPLE_MS = 2_000;
/** Memory varies with the load. A larger increase counts as growth. */
const MAX_RISE = 1.1;
const MAX_WAIT_S = 10;

const data = mkdtempSync(join(tmpdir(), "parlance-soak-"));
const random = createRandom(seed);
const results = createResults();
const samples: Sample[] = [];
const server = await startBenchServer({ speech: "all", concurrency: 10_000, data, log: "error" });
const started = performance.now();
const stop = new AbortController();
const ending = setTimeout(() => stop.abort(), minutes * 60_000);
let kills = 0;
try {
  const recording = await makeRecording(server);
  const clients = createClients(server, recording).flatMap(({ action, clients: count }) =>
    Array.from({ length: count }, (_, index) =>
      runClient(action, createRandom(seed * 1000 + index), results, stop.signal),
    ),
  );
  const workers = async () => (await server.report()).workers;
  const killing = killEvery > 0 ? killWorkers(workers, killEvery * 1000, random, stop.signal) : 0;
  await Promise.all([...clients, watchMemory(stop.signal)]);
  kills = await killing;
} finally {
  clearTimeout(ending);
  stop.abort();
  await server.close();
}
const ledger = await checkLedger(data, results.all);
process.exitCode = report() ? 0 : 1;
if (given.keep) console.log(`\ndata folder: ${data}`);
else rmSync(data, { recursive: true });

async function runClient(
  action: ClientAction,
  clientRandom: () => number,
  into: Results,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const { retryAfter, ...result } = await action(clientRandom);
    into.add(result);
    const wait = retryAfter === undefined ? clientRandom() * 0.5 : Math.min(retryAfter, MAX_WAIT_S);
    await sleep(wait * 1000, undefined, { signal }).catch(() => {});
  }
}

async function watchMemory(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { rssMb, workersRssMb } = await server.report();
    samples.push({ minute: (performance.now() - started) / 60_000, serverMb: rssMb, workersMb: workersRssMb });
    await sleep(SAMPLE_MS, undefined, { signal }).catch(() => {});
  }
}

function report(): boolean {
  console.log(`\n${minutes} minutes, seed ${seed}, ${kills} workers killed`);
  console.table(
    Object.fromEntries(
      KINDS.map((kind) => [
        kind,
        Object.fromEntries(OUTCOMES.map((outcome) => [outcome, results.count(kind, outcome)])),
      ]),
    ),
  );
  const warm = afterWarmUp(samples);
  const rose = rise(samples, ({ serverMb }) => serverMb);
  const metrics = {
    "server MB, first and last": `${round(samples[0]?.serverMb ?? 0)} ${round(samples.at(-1)?.serverMb ?? 0)}`,
    "server MB, mean of the middle third and of the last": `${round(rose.from)} ${round(rose.to)}`,
    "server, MB more each minute": round(
      slope(warm, ({ serverMb }) => serverMb),
      2,
    ),
    "workers, MB more each minute": round(
      slope(warm, ({ workersMb }) => workersMb),
      2,
    ),
    "requests in the ledger": ledger.charges,
    "credits that were charged": ledger.credits,
  };
  console.table(metrics);
  const failed = results.all.filter(({ outcome }) => outcome === "failed");
  for (const { kind, about } of failed.slice(0, 20)) console.log(`failed: ${kind}: ${about}`);
  for (const fault of ledger.faults.slice(0, 20)) console.log(`ledger: ${fault}`);
  const checks: readonly (readonly [string, boolean])[] = [
    [
      "every request is complete, visibly interrupted, aborted by the client, or refused with a retry time",
      failed.length === 0,
    ],
    ["the ledger is consistent, and matches the results of the clients", ledger.faults.length === 0],
    ["the server's memory does not grow", rose.to <= rose.from * MAX_RISE],
    [
      "requests of every kind were completed",
      KINDS.every((kind) => results.count(kind, "complete") + results.count(kind, "unavailable") > 0),
    ],
  ];
  for (const [check, holds] of checks) console.log(`${holds ? "✓" : "✗"} ${check}`);
  mkdirSync("bench/results", { recursive: true });
  const counts = Object.fromEntries(
    KINDS.map((kind) => [kind, OUTCOMES.map((outcome) => [outcome, results.count(kind, outcome)])]),
  );
  writeFileSync(
    "bench/results/soak.json",
    `${JSON.stringify({ minutes, seed, kills, counts, metrics, samples }, null, 2)}\n`,
  );
  return checks.every(([, holds]) => holds);
}
