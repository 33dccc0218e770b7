/**
 * npm run bench -- namespaces: two api nodes, three worker machines, NATS and PostgreSQL in network namespaces, each with an
 * address of its own. Cuts each of them off under load, kills each of them, and measures how soon the cluster is whole again.
 * Needs root. `--delay` is the latency of each direction in milliseconds, where the kernel has netem.
 */
import { parseArgs } from "node:util";
import { compileTests } from "../scripts/compile-tests.ts";
import { PARTS, runFaults } from "../tests/cluster/faults.ts";
import { tableOf, tell } from "./faults.ts";
import { createNetwork, namespacesMissing } from "./namespaces/network.ts";

const MACHINES = 3;

export async function benchNamespaces(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      delay: { type: "string", default: "1" },
      /** Longer than the time after which a node is taken for dead. */
      cut: { type: "string", default: "12" },
      rounds: { type: "string", default: "1" },
    },
  });
  const missing = namespacesMissing();
  if (missing !== undefined) throw new Error(missing);
  await compileTests();
  const network = await createNetwork(Number(values.delay));
  try {
    const hosts = {
      nats: await network.addHost("nats", 4222),
      postgres: await network.addHost("pg", 5432),
      nodes: [await network.addHost("api0", 0), await network.addHost("api1", 0)],
      machines: await Promise.all(Array.from({ length: MACHINES }, (_, index) => network.addHost(`work${index}`, 0))),
    };
    console.log(network.noDelay === undefined ? `latency: ${values.delay} ms` : `no latency: ${network.noDelay}`);
    const round = PARTS.flatMap((part) => [{ part, how: "cut off" } as const, { part, how: "killed" } as const]);
    const faults = Array.from({ length: Number(values.rounds) }, () => round).flat();
    const cutMs = 1000 * Number(values.cut);
    const { recoveries, ...counts } = await runFaults({ faults, hosts, compiled: true, cutMs, onRecovery: tell });
    const table = tableOf(recoveries);
    console.table(table);
    console.table(counts);
    console.log("nothing that a client had received or was told is lost, and the ledger adds up");
    return { delayMs: network.noDelay === undefined ? Number(values.delay) : 0, table, ...counts };
  } finally {
    network.close();
  }
}
