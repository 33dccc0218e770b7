import { LIMITS, VOICE_LIMITS } from "@parlance/protocol";
import {
  type Cloning,
  type Cluster,
  createCloning,
  createModelStore,
  createSpeech,
  createTranscription,
  type EngineName,
  joinCluster,
  type ModelStore,
  type Speech,
  type Transcription,
} from "@parlance/speech";
import type { Config } from "../config/config.ts";
import { createEngineEvents, type EngineEvents } from "../telemetry/engine-events.ts";
import type { Log } from "../telemetry/log.ts";
import { logEvent } from "../telemetry/log-events.ts";
import { createModelFetcher } from "./model-fetcher.ts";
import { backgroundModels, canClone, cloningModels, enginesOf, recognitionModels } from "./models.ts";

/** What replaces the parts that the settings describe. A part that is passed in belongs to the caller, who closes it. */
export interface EngineOverrides {
  readonly speech?: Speech;
  readonly transcription?: Transcription;
  /** Without it, a server with a `speech` that was passed in cannot clone voices. */
  readonly cloning?: Cloning;
  /** Where the engines that were passed in report their events. */
  readonly events?: EngineEvents;
  readonly models?: ModelStore;
  /** Fetch missing models while the server runs, and load what the first cloned voice needs. Off by default. */
  readonly fetchModels?: boolean;
  /** For downloads: the settings of npm, such as its registry and proxy. */
  readonly environment?: NodeJS.ProcessEnv;
  /** The text-to-speech engines to use. */
  readonly engines?: readonly EngineName[];
}

export interface Engines {
  readonly speech: Speech;
  readonly transcription: Transcription;
  /** Undefined: voices cannot be cloned. */
  readonly cloning: Cloning | undefined;
  readonly events: EngineEvents;
  /** How many worker machines take work. Undefined where this node works by itself. */
  readonly machines: (() => number) | undefined;
  /** The cluster that this node belongs to, if there is one. */
  readonly cluster: Cluster | undefined;
  /** Starts the downloads, if they are on. After them, what the first cloned voice needs is loaded, if that was missing. */
  startDownloads(): void;
  /** Closes the engines that were created here. */
  close(): Promise<void>;
}

/** The engines of a server: text to speech, speech to text and voice cloning. */
export async function createEngines(config: Config, log: Log, overrides: EngineOverrides = {}): Promise<Engines> {
  const { events = createEngineEvents(), environment = process.env } = overrides;
  const models = overrides.models ?? createModelStore({ directory: config.models, environment });
  const fetcher = createModelFetcher({ models, onFetched: refresh, log });
  const cluster = clusterOf(config, log, overrides);
  const hasOwn = cluster === undefined || config.role === "all";
  const created: { refresh(): Promise<void>; close(): Promise<void> }[] = [];
  const requestModels = async (ids: readonly string[]): Promise<void> => {
    if (overrides.fetchModels === true && hasOwn) await fetcher.request(ids);
  };
  const onWorkerLost = (engine: EngineName | "recognition" | "cloning", reason: string): void => {
    logEvent(log, "worker.lost", { engine, reason });
    events.workerLost(engine);
  };

  async function refresh(): Promise<void> {
    await Promise.all(created.map((engine) => engine.refresh()));
  }
  async function close(): Promise<void> {
    await fetcher.close();
    await Promise.all(created.map((engine) => engine.close()));
    await cluster?.close();
  }

  async function startSpeech(): Promise<Speech> {
    const speech = await createSpeech({
      models,
      queue: config.queue,
      keepAhead: config.keepAhead === "on",
      ...(config.workers === undefined ? {} : { workers: config.workers }),
      engines: overrides.engines ?? enginesOf(config),
      quality: config.quality,
      onWorkerLost,
      onChunk: events.chunk,
      cluster,
      ownWorkers: hasOwn,
    });
    created.push(speech);
    return speech;
  }
  async function startTranscription(): Promise<Transcription> {
    const transcription = await createTranscription({
      models: recognitionModels(models, config),
      workers: config.asrWorkers,
      size: config.recognizerSize === "off" ? undefined : config.recognizerSize,
      minSeconds: LIMITS.asrSeconds.min,
      maxSeconds: LIMITS.asrSeconds.max,
      onWorkerLost: (reason) => onWorkerLost("recognition", reason),
      cluster,
      ownWorkers: hasOwn,
    });
    created.push(transcription);
    return transcription;
  }
  async function startCloning(): Promise<Cloning | undefined> {
    if (!canClone(config) || overrides.speech !== undefined) return undefined;
    const cloning = await createCloning({
      models,
      minSeconds: VOICE_LIMITS.minSeconds,
      maxSeconds: VOICE_LIMITS.maxSeconds,
      onWorkerLost: (reason) => onWorkerLost("cloning", reason),
      onModelsRequested: () => requestModels(cloningModels()),
      cluster: hasOwn ? undefined : cluster,
    });
    created.push(cloning);
    return cloning;
  }

  try {
    const speech = overrides.speech ?? (await startSpeech());
    const transcription = overrides.transcription ?? (await startTranscription());
    const cloning = overrides.cloning ?? (await startCloning());
    const prepareCloning = (): void => {
      if (config.cloning === "on" && overrides.fetchModels === true) cloning?.prepare();
    };
    // Its process loads while the database and the routes are opened, which takes about as long, on one core.
    prepareCloning();
    const startDownloads = (): void => {
      if (overrides.fetchModels === true) void requestModels(backgroundModels(config)).then(prepareCloning);
    };
    const machines = cluster && !hasOwn ? cluster.usable : undefined;
    return { speech, transcription, cloning, events, machines, cluster, startDownloads, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The worker machines of this node. Undefined where there is no NATS server, or where engines were passed in. */
function clusterOf({ natsUrl }: Config, log: Log, { speech }: EngineOverrides): Cluster | undefined {
  if (natsUrl === undefined || speech !== undefined) return undefined;
  return joinCluster(natsUrl, {
    onMachineJoined: (machine) => logEvent(log, "machine.joined", { machine }),
    onMachineLost: (machine, reason) => logEvent(log, "machine.lost", { machine, reason }),
  });
}
