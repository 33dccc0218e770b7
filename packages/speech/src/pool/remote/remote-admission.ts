import { type EngineName, engineNames } from "../../engines/registry.ts";
import type { EngineCapacity, StreamAdmissionOptions } from "../admission/stream-admission.ts";
import { type Cluster, noMachine } from "./cluster.ts";
import { speechKind } from "./remote-pool.ts";

/** The workers of an engine on all machines, as they are now. */
export function remoteCapacity(cluster: Cluster, engine: EngineName, cost: number): EngineCapacity {
  return {
    cost,
    get workers() {
      return cluster.workers(speechKind(engine));
    },
  };
}

/** Accepts streams against the whole cluster: what other api nodes have accepted counts, and without machines nothing is. */
export function remoteAdmission(cluster: Cluster): Pick<StreamAdmissionOptions, "otherNeeds" | "unavailable"> {
  return {
    otherNeeds: cluster.otherNeeds,
    unavailable(engines) {
      const missing = engines.find((engine) => cluster.workers(speechKind(engine)) === 0);
      return missing && noMachine(speechKind(missing));
    },
  };
}

/** Engines that machines have offered so far; before the first report, all. */
export function offeredEngines(cluster: Cluster): (engine: EngineName) => boolean {
  const isKnown = (engine: EngineName): boolean => cluster.info(speechKind(engine)) !== undefined;
  return (engine) => isKnown(engine) || !engineNames.some(isKnown);
}
