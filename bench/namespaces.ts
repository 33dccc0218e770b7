/**
 * npm run bench -- namespaces: two api nodes, three worker machines, NATS and PostgreSQL in network namespaces, each with an
 * address of its own. Cuts each of them off under load, kills each of them, and measures how soon the cluster is whole again.
 * Needs root. `--delay` is the latency of each direction in milliseconds.
 */
import { parseArgs } from "node:util";
import { compileTests } from "../scripts/compile-tests.ts";
import { PARTS, runFaults } from "../tests/cluster/faults.ts";
import { createClusterHosts } from "../tests/cluster/hosts.ts";
import { namespacesMissing } from "../tests/support/network.ts";
import { tableOf, tell } from "./faults.ts";

export async function benchNamespaces(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      delay: { type: "string", default: "1" },
      /** Longer than the time after which a node expires. */
      cut: { type: "string", default: "12" },
      rounds: { type: "string", default: "1" },
    },
  });
  const missing = namespacesMissing();
  if (missing !== undefined) throw new Error(missing);
  await compileTests();
  const delayMs = Number(values.delay);
  const { network, hosts } = await createClusterHosts(delayMs);
  try {
    // A kernel without netem: proxies delay what goes to NATS and PostgreSQL, and that is all traffic between hosts.
    const latency = network.noDelay === undefined ? undefined : { delayMs, address: network.address };
    console.log(`latency: ${delayMs} ms in each direction, by ${latency ? "proxies" : "netem"}`);
    const round = PARTS.flatMap((part) => [{ part, how: "cut off" } as const, { part, how: "killed" } as const]);
    const faults = Array.from({ length: Number(values.rounds) }, () => round).flat();
    const cutMs = 1000 * Number(values.cut);
    const { recoveries, ...counts } = await runFaults({
      faults,
      hosts,
      latency,
      compiled: true,
      cutMs,
      onRecovery: tell,
    });
    const table = tableOf(recoveries);
    console.table(table);
    console.table(counts);
    console.log("nothing that a client had received or that was confirmed to it is lost, and the ledger adds up");
    return { delayMs, table, ...counts };
  } finally {
    network.close();
  }
}
