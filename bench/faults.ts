/** npm run bench -- faults: kills the parts of a cluster under load, in random order, and measures how soon it is whole again. */
import { parseArgs } from "node:util";
import { compileTests } from "../scripts/compile-tests.ts";
import { type Fault, type FaultsResult, PARTS, runFaults } from "../tests/cluster/faults.ts";
import { createRandom } from "./load/traffic.ts";
import { median, round } from "./statistics.ts";

export async function benchFaults(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: { kills: { type: "string", default: "50" }, seed: { type: "string", default: "1" } },
  });
  const seed = Number(values.seed);
  await compileTests();
  const random = createRandom(seed);
  const faults = Array.from({ length: Number(values.kills) }, (): Fault => {
    return { part: PARTS[Math.floor(random() * PARTS.length)] ?? "worker", how: "killed" };
  });
  const { recoveries, ...counts } = await runFaults({ faults, seed, compiled: true, pauseMs: 1_000, onRecovery: tell });
  const table = tableOf(recoveries);
  console.table(table);
  console.table(counts);
  console.log("nothing that a client had received or was told is lost, and the ledger adds up");
  return { seed, table, ...counts };
}

export function tell({ part, how }: Fault, seconds: number): void {
  console.log(`${part} ${how}: ${round(seconds, 2)} s`);
}

/** How long it took until the cluster was whole again, by part and fault. */
export function tableOf(recoveries: FaultsResult["recoveries"]) {
  const names = new Set(recoveries.map(({ fault }) => `${fault.part} ${fault.how}`));
  const entries = [...names].sort().map((name) => {
    const matching = recoveries.filter(({ fault }) => `${fault.part} ${fault.how}` === name);
    const seconds = matching.map((one) => one.seconds);
    const figures = {
      times: seconds.length,
      "median s": round(median(seconds), 2),
      "longest s": round(Math.max(...seconds), 2),
    };
    return [name, figures] as const;
  });
  return Object.fromEntries(entries);
}
