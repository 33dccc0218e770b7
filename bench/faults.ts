/**
 * npm run bench -- faults: kills the parts of a cluster under load, in random order, and measures how soon it is whole again.
 * 50 kills take about six minutes and less than one core.
 */
import { parseArgs } from "node:util";
import { compileTests } from "../scripts/compile-tests.ts";
import { type Fault, type FaultsResult, PARTS, type Recovery, runFaults } from "../tests/cluster/faults.ts";
import { createRandom } from "./load/traffic.ts";
import { measureProcesses } from "./process-usage.ts";
import { median, round } from "./statistics.ts";

/** The cluster is to be whole again after this time. */
const WHOLE_SECONDS = 10;
/** Between two requests of a client, so that the run takes less than a core. */
const REST_MS = 200;

export async function benchFaults(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      kills: { type: "string", default: "50" },
      seed: { type: "string", default: "1" },
      /** The run fails when it takes longer. */
      minutes: { type: "string", default: "15" },
    },
  });
  const seed = Number(values.seed);
  await compileTests();
  const random = createRandom(seed);
  const faults = Array.from({ length: Number(values.kills) }, (): Fault => {
    return { part: PARTS[Math.floor(random() * PARTS.length)] ?? "worker", how: "killed" };
  });
  const usage = measureProcesses(process.pid);
  const from = performance.now();
  const { recoveries, ...counts } = await runFaults({
    faults,
    seed,
    compiled: true,
    pauseMs: 1_000,
    restMs: REST_MS,
    limitMs: 60_000 * Number(values.minutes),
    onRecovery: tell,
  });
  const seconds = (performance.now() - from) / 1000;
  const cores = round(usage.end().cpuSeconds / seconds, 2);
  const table = tableOf(recoveries);
  console.table(table);
  console.table(counts);
  console.log("nothing that a client had received or that was confirmed to it is lost, and the ledger adds up");
  const late = recoveries.filter((one) => one.seconds > WHOLE_SECONDS).length;
  console.log(`${late === 0 ? "✓" : "✗"} ${late} of ${recoveries.length} kills took longer than ${WHOLE_SECONDS} s`);
  console.log(`the run took ${round(seconds)} s and ${cores} of a core`);
  return { seed, table, ...counts, late, seconds: round(seconds), cores };
}

export function tell({ fault, seconds, cpuSeconds }: Recovery): void {
  const cpu = cpuSeconds === undefined ? "" : `, of which ${round(cpuSeconds, 1)} s of CPU time of the new process`;
  console.log(`${fault.part} ${fault.how}: ${round(seconds, 2)} s${cpu}`);
}

/** How long it took until the cluster was whole again, by part and fault. */
export function tableOf(recoveries: FaultsResult["recoveries"]) {
  const names = new Set(recoveries.map(({ fault }) => `${fault.part} ${fault.how}`));
  const entries = [...names].sort().map((name) => {
    const matching = recoveries.filter(({ fault }) => `${fault.part} ${fault.how}` === name);
    const seconds = matching.map((one) => one.seconds);
    const cpu = matching.flatMap(({ cpuSeconds }) => cpuSeconds ?? []);
    const figures = {
      times: seconds.length,
      "median s": round(median(seconds), 2),
      "longest s": round(Math.max(...seconds), 2),
      ...(cpu.length > 0 ? { "CPU of the new process, median s": round(median(cpu), 2) } : {}),
    };
    return [name, figures] as const;
  });
  return Object.fromEntries(entries);
}
