import { createNetwork, type Network } from "../support/network.ts";
import type { ClusterHosts } from "./faults.ts";

const MACHINES = 3;

/** Network namespaces for two api nodes, three worker machines, NATS and PostgreSQL, each with an address of its own. */
export async function createClusterHosts(
  delayMs: number,
): Promise<{ readonly network: Network; readonly hosts: ClusterHosts }> {
  const network = await createNetwork(delayMs);
  try {
    const hosts = {
      nats: await network.addHost("nats", 4222),
      postgres: await network.addHost("pg", 5432),
      nodes: [await network.addHost("api0", 0), await network.addHost("api1", 0)],
      machines: await Promise.all(Array.from({ length: MACHINES }, (_, index) => network.addHost(`work${index}`, 0))),
    };
    return { network, hosts };
  } catch (error) {
    network.close();
    throw error;
  }
}
