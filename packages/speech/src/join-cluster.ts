import { type Cluster, type ClusterOptions, createCluster } from "./pool/remote/cluster.ts";
import { createNatsTransport } from "./pool/remote/nats-transport.ts";

/** Joins the cluster of a NATS server as an api node. Connects in the background, and again after every loss. */
export function joinCluster(url: string, options?: ClusterOptions): Cluster {
  return createCluster(createNatsTransport(url), options);
}
