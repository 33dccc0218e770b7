import { availableParallelism } from "node:os";
import { engineNames, engineSpec } from "./engines/catalogue.ts";
import { liveChunks } from "./live/live-source.ts";
import type { ModelStore } from "./models/index.ts";
import { createAdmission } from "./pool/admission.ts";
import { createPool, type Pool } from "./pool/pool.ts";
import { type ChunkSource, languageOf, speak } from "./speak.ts";
import { type EngineName, type Speech, SpeechError, type SpeechSettings, type Voice } from "./speech.ts";
import { type ChunkOptions, planChunks } from "./text/index.ts";
import { type BuiltInVoice, builtInVoices } from "./voices/index.ts";

export interface SpeechOptions {
  readonly models: ModelStore;
  /** Worker processes per engine; by default as many as there are cores, at most four. */
  readonly workers?: number;
  /** Requests that may be spoken or wait at one time; one more is refused. */
  readonly queue?: number;
  /** Engines to use; by default all that are installed. */
  readonly engines?: readonly EngineName[];
  readonly onWorkerLost?: (engine: EngineName, reason: string) => void;
}

const USUAL_QUEUE = 64;

/** Starts the engines whose models are installed. Resolves when the first of them can speak. */
export async function createSpeech(options: SpeechOptions): Promise<Speech> {
  const cores = availableParallelism();
  const workers = options.workers ?? Math.min(cores, 4);
  const admission = createAdmission(options.queue ?? USUAL_QUEUE);
  const pools = new Map<EngineName, Pool>();

  async function startInstalled(): Promise<void> {
    for (const engine of options.engines ?? engineNames) {
      // Kokoro works on one text at a time with all cores; Piper speaks for many at once with one each.
      const [size, threads] = engine === "kokoro" ? [1, cores] : [workers, Math.max(1, Math.floor(cores / workers))];
      const spec = pools.has(engine) ? undefined : await engineSpec(engine, options.models, threads);
      if (!spec || pools.has(engine)) continue;
      const onWorkerLost = (reason: string) => options.onWorkerLost?.(engine, reason);
      pools.set(engine, createPool(spec, { size, onWorkerLost }));
    }
  }

  const voices = () => builtInVoices.filter((voice) => pools.has(voice.engine));
  const poolOf = (voice: Voice): Pool => {
    const pool = pools.get(voice.engine);
    if (!pool) throw new SpeechError("failed", `the models of ${voice.engine} are not installed`);
    return pool;
  };

  const speakers = { poolOf, spokenBy: (voice: Voice) => findBuiltIn(voice).spoken };
  const chunkOptions = (settings: SpeechSettings): ChunkOptions => ({
    latency: settings.latency,
    chunkLength: settings.chunkLength,
    minChunkLength: settings.minChunkLength,
    normalize: settings.normalizeText,
    languageOf: languageOf(settings, speakers),
  });
  async function* spoken(settings: SpeechSettings, source: ChunkSource, signal: AbortSignal) {
    const leave = admission.enter();
    try {
      yield* speak(settings, source, speakers, signal);
    } finally {
      leave();
    }
  }

  await startInstalled();
  warmUpText();
  const first = pools.values().next().value;
  if (first) await first.ready;

  return {
    voices,
    findVoice: (reference) => voices().find((voice) => voice.id === reference || voice.slug === reference),
    defaultVoice: (engine) => voices().find((voice) => engine === undefined || voice.engine === engine),
    refresh: startInstalled,
    workers: () => [...pools].flatMap(([engine, pool]) => pool.pids().map((pid) => ({ engine, pid }))),
    speak: (request, signal) => spoken(request, () => planChunks(request.text, chunkOptions(request)), signal),
    speakLive: (settings, input, signal) =>
      spoken(settings, (ahead) => liveChunks(chunkOptions(settings), input, ahead, signal), signal),
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.close()));
    },
  };
}

/** The first text compiles the rules of reading, which takes longer than most texts do: no listener should wait for it. */
function warmUpText(): void {
  const options = { latency: "balanced", chunkLength: 200, minChunkLength: 50, normalize: true } as const;
  for (const _ of planChunks("On May 1st, 2 of 3 people paid $4.50.", { ...options, languageOf: () => "en-us" }));
}

function findBuiltIn(voice: Voice): BuiltInVoice {
  const found = builtInVoices.find((other) => other.id === voice.id);
  if (!found) throw new SpeechError("failed", `no voice has the id ${voice.id}`);
  return found;
}
