/** npm run bench -- faults: kills the parts of a cluster under load, in random order, and measures how soon it is whole again. */
import { parseArgs } from "node:util";
import { FAULTS, type Fault, runFaults } from "../tests/cluster/faults.ts";
import { createRandom } from "./load/traffic.ts";
import { median, round } from "./statistics.ts";

export async function benchFaults(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: { kills: { type: "string", default: "50" }, seed: { type: "string", default: "1" } },
  });
  const seed = Number(values.seed);
  const random = createRandom(seed);
  const faults = Array.from(
    { length: Number(values.kills) },
    () => FAULTS[Math.floor(random() * FAULTS.length)] ?? "worker",
  );
  const onRecovery = (fault: Fault, seconds: number): void => console.log(`${fault}: ${round(seconds, 2)} s`);
  const { recoveries, ...counts } = await runFaults({ faults, seed, spares: 1, pauseMs: 1_000, onRecovery });
  const table = Object.fromEntries(
    FAULTS.map((fault) => {
      const seconds = recoveries.filter((one) => one.fault === fault).map((one) => one.seconds);
      return [
        fault,
        {
          kills: seconds.length,
          "median s": round(median(seconds), 2),
          "longest s": round(Math.max(0, ...seconds), 2),
        },
      ];
    }),
  );
  console.table(table);
  console.table(counts);
  console.log("nothing that a client had received or was told is lost, and the ledger adds up");
  return { seed, table, ...counts };
}
