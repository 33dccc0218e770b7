import { join } from "node:path";
import { createWorker, type ModelStore, type Worker } from "@parlance/speech";
import { type Config, ConfigError } from "../config/config.ts";
import { createProcessFolder } from "../lib/process-folder.ts";
import { createLog, type Log } from "../telemetry/log.ts";
import { logEvent } from "../telemetry/log-events.ts";
import { createModelFetcher } from "./model-fetcher.ts";
import { backgroundModels, canClone, cloningModels, enginesOf, recognitionModels } from "./models.ts";
import { listenForProbes } from "./worker-health.ts";

export interface WorkerMachineOptions {
  readonly config: Config;
  readonly models: ModelStore;
  readonly log?: Log;
  /** Fetch missing models while it runs. Off by default. */
  readonly fetchModels?: boolean;
}

export interface WorkerMachine {
  readonly worker: Worker;
  /** Takes no new work, lets running streams end for the drain time, and leaves the cluster. Can be called again. */
  close(): Promise<void>;
}

/** Starts the role of a worker: this machine runs jobs of the api nodes of a cluster. */
export async function startWorkerMachine(options: WorkerMachineOptions): Promise<WorkerMachine> {
  const { config, models, log = createLog(config.log), fetchModels = false } = options;
  if (config.natsUrl === undefined)
    throw new ConfigError("PARLANCE_NATS_URL: a worker reaches the api nodes over NATS, so it must be set");
  const folder = createProcessFolder(join(config.data, "work"));
  await folder.sweep();
  const worker = await createWorker({
    models: recognitionModels(models, config),
    url: config.natsUrl,
    name: config.machine,
    workers: config.workers,
    recognitionWorkers: config.asrWorkers,
    engines: enginesOf(config),
    quality: config.quality,
    size: config.recognizerSize === "off" ? undefined : config.recognizerSize,
    cloning: canClone(config),
    refinementShare: config.refinementShare,
    workFolder: folder.path,
    onWorkerLost: (engine, reason) => logEvent(log, "worker.lost", { engine, reason }),
  });
  logEvent(log, "worker.joined", { offers: worker.offers() });
  const fetcher = createModelFetcher({ models, onFetched: () => worker.refresh(), log });
  // A request cannot ask this machine for models, so those for cloning are fetched unless it is off.
  if (fetchModels) void fetcher.request([...backgroundModels(config), ...(canClone(config) ? cloningModels() : [])]);

  const { metricsPort: port, metricsHost: host } = config;
  const health = port === undefined ? undefined : await listenForProbes(worker, { host, port });

  async function close(): Promise<void> {
    logEvent(log, "shutdown.started", {});
    await fetcher.close();
    const deadline = AbortSignal.timeout(Math.max(1, config.drainSeconds * 1000));
    deadline.addEventListener("abort", () => logEvent(log, "shutdown.timed-out", { streams: worker.running }));
    await worker.close(deadline);
    await health?.close();
    await folder.close();
  }
  let closing: Promise<void> | undefined;
  return {
    worker,
    close() {
      closing ??= close();
      return closing;
    },
  };
}
