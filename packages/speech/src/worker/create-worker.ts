import { availableParallelism } from "node:os";
import { createDecoder } from "../audio/decode/index.ts";
import type { SynthesisQuality } from "../engines/descriptor.ts";
import type { RecognizerSize } from "../engines/recognizer.ts";
import { type EngineName, engineDescriptor, engineNames } from "../engines/registry.ts";
import { engineSpec } from "../engines/spec.ts";
import { errorMessage } from "../lib/errors.ts";
import type { ModelStore } from "../models/index.ts";
import { shareCores } from "../pool/busy-time.ts";
import { createPool, type Pool } from "../pool/pool.ts";
import { createMachine } from "../pool/remote/machine.ts";
import { createNatsTransport } from "../pool/remote/nats-transport.ts";
import { DECODE_KIND } from "../pool/remote/remote-decoder.ts";
import { speechKind } from "../pool/remote/remote-pool.ts";
import type { Service } from "../pool/remote/service.ts";
import { installedRecognizers } from "../recognition/installed.ts";
import { createRecognitionPool } from "../recognition/recognition-pool.ts";
import { RECOGNITION_KIND } from "../recognition/remote-recognition.ts";
import { createCloningServices } from "./cloning-services.ts";
import { decodeService, recognitionService, speechService } from "./services.ts";

export interface WorkerOptions {
  readonly models: ModelStore;
  /** The address of the NATS server. */
  readonly url: string;
  /** Its name in traces and logs; the host name by default. */
  readonly name?: string | undefined;
  /** Worker processes per synthesis engine, and for recognition; by default one for each core, at most four. */
  readonly workers?: number | undefined;
  readonly recognitionWorkers?: number | undefined;
  readonly engines?: readonly EngineName[] | undefined;
  readonly quality?: SynthesisQuality | undefined;
  readonly size?: RecognizerSize | undefined;
  /** Whether voices are made here; true by default. */
  readonly cloning?: boolean | undefined;
  /** The share of one core for the refinement of voices; 1 by default. The share of a job is used where it is smaller. 0: none is refined here. */
  readonly refinementShare?: number | undefined;
  /** Where recordings lie while a job needs them; the system's temporary folder by default. */
  readonly workFolder?: string | undefined;
  readonly onWorkerLost?: ((engine: EngineName | "recognition" | "cloning", reason: string) => void) | undefined;
}

/** A machine that runs jobs of the api nodes of a cluster. */
export interface Worker {
  /** The kinds of work that it offers now. */
  offers(): readonly string[];
  /** Whether the NATS server is reached. */
  readonly connected: boolean;
  /** Jobs that it has now. */
  readonly running: number;
  /** Checks again which models are installed, and starts engines that have become available. */
  refresh(): Promise<void>;
  /** Takes no new work, lets its jobs end until the signal aborts, and leaves. */
  close(signal: AbortSignal): Promise<void>;
}

/** Loads the installed engines and joins the cluster. */
export async function createWorker(options: WorkerOptions): Promise<Worker> {
  const { models, quality = "fast" } = options;
  const cores = availableParallelism();
  const workers = options.workers ?? Math.min(cores, 4);
  const recognitionWorkers = options.recognitionWorkers ?? Math.min(cores, 4);
  const services = new Map<string, Service>();
  const pools = new Map<EngineName, Pool>();

  async function startEngine(engine: EngineName): Promise<void> {
    const { exclusive, busySecondsPerAudioSecond, leastThreads } = engineDescriptor(engine).cost(quality);
    const size = exclusive ? 1 : workers;
    const share = shareCores(cores, size, leastThreads);
    const spec = await engineSpec(engine, models, share.threads, quality);
    if (!spec || pools.has(engine)) return;
    const onWorkerLost = (reason: string): void => options.onWorkerLost?.(engine, reason);
    const pool = createPool(spec, { size, cores: share.cores, onWorkerLost });
    pools.set(engine, pool);
    try {
      services.set(speechKind(engine), await speechService(pool, busySecondsPerAudioSecond));
    } catch (error) {
      pools.delete(engine);
      await pool.close();
      options.onWorkerLost?.(engine, errorMessage(error));
    }
  }
  const startEngines = async (): Promise<void> => {
    const wanted = engineNames.filter((name) => options.engines?.includes(name) ?? true);
    await Promise.all(wanted.filter((engine) => !pools.has(engine)).map(startEngine));
  };

  const threads = Math.max(1, Math.floor(cores / recognitionWorkers));
  const findRecognizers = () => installedRecognizers(models, options.size ?? "base", threads);
  let recognizers = await findRecognizers();
  const onRecognizerLost = (reason: string): void => options.onWorkerLost?.("recognition", reason);
  const recognition = createRecognitionPool({ workers: recognitionWorkers, onWorkerLost: onRecognizerLost });
  const decoder = createDecoder();
  services.set(DECODE_KIND, decodeService(decoder, options.workFolder));
  services.set(
    RECOGNITION_KIND,
    recognitionService(recognition, () => recognizers, recognitionWorkers),
  );
  const cloning = options.cloning === false ? undefined : await createCloningServices(models, options);
  for (const [kind, service] of cloning?.services ?? []) services.set(kind, service);

  // It joins with the first engine that is ready; the others follow.
  const transport = createNatsTransport(options.url);
  const machine = createMachine(transport, {
    services: () => services,
    ...(options.name === undefined ? {} : { name: options.name }),
  });
  await startEngines();

  return {
    offers: () => [...services].filter(([, { workers: count }]) => count > 0).map(([kind]) => kind),
    get connected() {
      return transport.connected;
    },
    get running() {
      return machine.running;
    },
    async refresh() {
      recognizers = await findRecognizers();
      await cloning?.refresh();
      await startEngines();
    },
    async close(signal) {
      await Promise.all([machine.drain(signal), cloning?.endRefinement()]);
      await machine.close();
      await Promise.all([...pools.values()].map((pool) => pool.close()));
      await Promise.all([recognition.close(), decoder.close(), cloning?.close()]);
    },
  };
}
