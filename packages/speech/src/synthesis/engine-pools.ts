import type { SynthesisQuality } from "../engines/descriptor.ts";
import { type EngineName, engineDescriptor, engineNames } from "../engines/registry.ts";
import { engineSpec } from "../engines/spec.ts";
import { errorMessage } from "../lib/errors.ts";
import type { ModelStore } from "../models/index.ts";
import type { EngineCapacity } from "../pool/admission/stream-admission.ts";
import { shareCores } from "../pool/busy-time.ts";
import { createPool, type Pool } from "../pool/pool.ts";
import type { Cluster } from "../pool/remote/cluster.ts";
import { createCombinedPool } from "../pool/remote/combined-pool.ts";
import { offeredEngines, remoteCapacity } from "../pool/remote/remote-admission.ts";
import { createRemotePool } from "../pool/remote/remote-pool.ts";
import type { WatchdogTimes } from "../pool/watchdog.ts";

export interface EnginePoolsOptions {
  readonly models: ModelStore;
  readonly engines?: readonly EngineName[] | undefined;
  readonly workers: number;
  readonly cores: number;
  readonly quality: SynthesisQuality;
  readonly cluster?: Cluster | undefined;
  readonly ownWorkers?: boolean | undefined;
  readonly onWorkerLost?: ((engine: EngineName, reason: string) => void) | undefined;
  readonly watchdog?: Partial<WatchdogTimes> | undefined;
}

/** A pool for each synthesis engine: of this machine, of a cluster, or of both. */
export interface EnginePools {
  readonly pools: ReadonlyMap<EngineName, Pool>;
  readonly capacities: ReadonlyMap<EngineName, EngineCapacity>;
  /** Worker processes of this machine for an engine. */
  ownWorkers(engine: EngineName): number;
  /** Whether its voices can be used. */
  isOffered(engine: EngineName): boolean;
  /** Starts the engines whose models are installed and that do not run yet. */
  start(): Promise<void>;
  /** Waits for the preferred engine of this machine; if it cannot be loaded, for the next one. */
  firstReady(): Promise<void>;
}

export function createEnginePools(options: EnginePoolsOptions): EnginePools {
  const { cluster, workers, cores, quality } = options;
  const hasOwn = cluster === undefined || options.ownWorkers === true;
  const wanted = engineNames.filter((name) => options.engines?.includes(name) ?? true);
  const own = new Map<EngineName, Pool>();
  const pools = new Map<EngineName, Pool>();
  const costOf = (engine: EngineName) => engineDescriptor(engine).cost(quality);
  const sizeOf = (engine: EngineName): number => (costOf(engine).exclusive ? 1 : workers);
  const ownWorkers = (engine: EngineName): number => (own.has(engine) ? sizeOf(engine) : 0);
  const capacityOf = (engine: EngineName): EngineCapacity => {
    const cost = costOf(engine).busySecondsPerAudioSecond;
    return cluster ? remoteCapacity(cluster, engine, cost, ownWorkers) : { workers: sizeOf(engine), cost };
  };

  async function startOwn(engine: EngineName): Promise<void> {
    const share = shareCores(cores, sizeOf(engine), costOf(engine).leastThreads);
    const spec = own.has(engine) ? undefined : await engineSpec(engine, options.models, share.threads, quality);
    if (!spec || own.has(engine)) return;
    const onWorkerLost = (reason: string) => options.onWorkerLost?.(engine, reason);
    const pool = createPool(spec, {
      size: sizeOf(engine),
      cores: share.cores,
      onWorkerLost,
      watchdog: options.watchdog,
    });
    own.set(engine, pool);
    if (!cluster) pools.set(engine, pool);
  }

  const isOfferedElsewhere = cluster && offeredEngines(cluster, hasOwn);
  if (cluster) {
    for (const engine of wanted) {
      const pool = hasOwn
        ? createCombinedPool(engine, () => own.get(engine), cluster)
        : createRemotePool(engine, cluster);
      pools.set(engine, pool);
    }
  }

  return {
    pools,
    capacities: new Map(engineNames.map((engine) => [engine, capacityOf(engine)])),
    ownWorkers,
    isOffered: (engine) => own.has(engine) || (pools.has(engine) && isOfferedElsewhere?.(engine) === true),
    async start() {
      if (hasOwn) for (const engine of wanted) await startOwn(engine);
    },
    async firstReady() {
      for (const [engine, pool] of own) {
        try {
          await pool.ready;
          return;
        } catch (error) {
          own.delete(engine);
          if (!cluster) pools.delete(engine);
          await pool.close();
          // The machines of a cluster come and go while this process runs.
          if (own.size === 0 && !cluster) throw error;
          options.onWorkerLost?.(engine, errorMessage(error));
        }
      }
    },
  };
}
