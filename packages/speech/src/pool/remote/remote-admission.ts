import { type EngineName, engineNames } from "../../engines/registry.ts";
import type { EngineCapacity, StreamAdmissionOptions } from "../admission/stream-admission.ts";
import type { Cluster } from "./cluster.ts";
import { noMachine } from "./refusals.ts";
import { speechKind } from "./remote-pool.ts";

type OwnWorkers = (engine: EngineName) => number;

/** The workers of an engine on this and on all other machines, as they are now. */
export function remoteCapacity(cluster: Cluster, engine: EngineName, cost: number, own: OwnWorkers): EngineCapacity {
  return {
    cost,
    get workers() {
      return own(engine) + cluster.workers(speechKind(engine));
    },
  };
}

/** Accepts streams against the whole cluster: what other api nodes have accepted counts, and without workers nothing is. */
export function remoteAdmission(
  cluster: Cluster,
  own: OwnWorkers,
): Pick<StreamAdmissionOptions, "otherNeeds" | "onAccepted" | "unavailable"> {
  const workersElsewhere = (engine: EngineName): number => cluster.workers(speechKind(engine));
  /** Other nodes use the machines of the cluster only, so with workers of its own this node has a larger whole. */
  const shareElsewhere = (): number =>
    Math.max(
      ...engineNames.map((engine) => {
        const elsewhere = workersElsewhere(engine);
        return elsewhere === 0 ? 0 : elsewhere / (elsewhere + own(engine));
      }),
    );
  return {
    otherNeeds() {
      const factor = shareElsewhere();
      return cluster.otherNeeds().map((need) => ({ ...need, share: need.share * factor }));
    },
    onAccepted: cluster.tellAccepted,
    unavailable(engines) {
      const missing = engines.find((engine) => own(engine) + workersElsewhere(engine) === 0);
      return missing && noMachine(speechKind(missing));
    },
  };
}

/** Engines that machines have offered so far. Before the first report, all, unless this node has workers of its own. */
export function offeredEngines(cluster: Cluster, hasOwn: boolean): (engine: EngineName) => boolean {
  const isKnown = (engine: EngineName): boolean => cluster.info(speechKind(engine)) !== undefined;
  return (engine) => isKnown(engine) || (!hasOwn && !engineNames.some(isKnown));
}
