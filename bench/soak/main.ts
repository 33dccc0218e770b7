/** npm run soak -- --minutes N: everything at once for a while, with accidents. Ends with 1 when a rule was broken. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createRandom } from "../load/traffic.ts";
import { startBenchServer } from "../server-handle.ts";
import { round } from "../statistics.ts";
import { type Act, createClients } from "./clients.ts";
import { killNowAndThen } from "./kills.ts";
import { checkLedger } from "./ledger-check.ts";
import { afterWarmUp, rise, type Sample, slope } from "./memory.ts";
import { createNotes, KINDS, type Notes, OUTCOMES } from "./notes.ts";
import { makeRecording } from "./recording.ts";

const usage = `usage: npm run soak -- [options]

Speaks, listens and makes voices for many clients at once on a server of its own, kills its worker processes now and
then, has clients leave, and looks whether anything was lost, doubled or left behind.

  --minutes N      how long (10)
  --seed N         which accidents happen (1)
  --kill-every S   seconds between two kills of a worker, on average (10); 0: none
  --keep           keep the data folder and say where it is
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
/** Memory that is in use swings with what is being said; beyond this it grows. */
const MOST_RISE = 1.1;
const LONGEST_WAIT_S = 10;

const data = mkdtempSync(join(tmpdir(), "parlance-soak-"));
const random = createRandom(seed);
const notes = createNotes();
const samples: Sample[] = [];
const server = await startBenchServer({ speech: "all", concurrency: 10_000, data, log: "error" });
const started = performance.now();
const over = new AbortController();
const ending = setTimeout(() => over.abort(), minutes * 60_000);
let kills = 0;
try {
  const recording = await makeRecording(server);
  const clients = createClients(server, recording).flatMap(({ act, clients: count }) =>
    Array.from({ length: count }, (_, index) =>
      keepCalling(act, createRandom(seed * 1000 + index), notes, over.signal),
    ),
  );
  const workers = async () => (await server.report()).workers;
  const killing = killEvery > 0 ? killNowAndThen(workers, killEvery * 1000, random, over.signal) : 0;
  await Promise.all([...clients, watchMemory(over.signal)]);
  kills = await killing;
} finally {
  clearTimeout(ending);
  over.abort();
  await server.close();
}
const ledger = await checkLedger(data, notes.all);
process.exitCode = report() ? 0 : 1;
if (given.keep) console.log(`\nthe data: ${data}`);
else rmSync(data, { recursive: true });

async function keepCalling(act: Act, chance: () => number, into: Notes, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { retryAfter, ...note } = await act(chance);
    into.add(note);
    const wait = retryAfter === undefined ? chance() * 0.5 : Math.min(retryAfter, LONGEST_WAIT_S);
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
      KINDS.map((kind) => [kind, Object.fromEntries(OUTCOMES.map((outcome) => [outcome, notes.count(kind, outcome)]))]),
    ),
  );
  const warm = afterWarmUp(samples);
  const rose = rise(samples, ({ serverMb }) => serverMb);
  const figures = {
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
  console.table(figures);
  const broken = notes.all.filter(({ outcome }) => outcome === "broken");
  for (const { kind, about } of broken.slice(0, 20)) console.log(`broken: ${kind}: ${about}`);
  for (const fault of ledger.faults.slice(0, 20)) console.log(`ledger: ${fault}`);
  const rules: readonly (readonly [string, boolean])[] = [
    ["every request is whole, visibly cut, left or refused with a time to come back", broken.length === 0],
    ["the ledger agrees with itself and with what clients got", ledger.faults.length === 0],
    ["the server's memory is flat", rose.to <= rose.from * MOST_RISE],
    [
      "all kinds of requests came to an end",
      KINDS.every((kind) => notes.count(kind, "whole") + notes.count(kind, "absent") > 0),
    ],
  ];
  for (const [rule, holds] of rules) console.log(`${holds ? "✓" : "✗"} ${rule}`);
  mkdirSync("bench/results", { recursive: true });
  const counts = Object.fromEntries(
    KINDS.map((kind) => [kind, OUTCOMES.map((outcome) => [outcome, notes.count(kind, outcome)])]),
  );
  writeFileSync(
    "bench/results/soak.json",
    `${JSON.stringify({ minutes, seed, kills, counts, figures, samples }, null, 2)}\n`,
  );
  return rules.every(([, holds]) => holds);
}
