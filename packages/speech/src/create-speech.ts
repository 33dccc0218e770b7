import { availableParallelism } from "node:os";
import { engineSpec } from "./engines/catalogue.ts";
import type { EngineVoice } from "./engines/engine.ts";
import type { KokoroQuality } from "./engines/kokoro/voicing.ts";
import { liveChunks } from "./live/live-source.ts";
import type { ModelStore } from "./models/index.ts";
import { createAdmission } from "./pool/admission.ts";
import { createPool, type Pool } from "./pool/pool.ts";
import { type ChunkSource, languageOf, speak } from "./speak.ts";
import {
  type BeforeChunk,
  type ChunkFigures,
  type EngineName,
  type Speech,
  SpeechError,
  type SpeechSettings,
  type SpokenVoice,
} from "./speech.ts";
import { type ChunkOptions, planChunks, type SpeechChunk } from "./text/index.ts";
import { type BuiltInVoice, builtInVoices, defaultVoiceOf, preferredEngines } from "./voices/index.ts";

export type { KokoroQuality } from "./engines/kokoro/voicing.ts";

export interface SpeechOptions {
  readonly models: ModelStore;
  /** Worker processes per engine; by default as many as there are cores, at most four. */
  readonly workers?: number;
  /** Requests that may be spoken or wait at one time; one more is refused. */
  readonly queue?: number;
  /** Engines to use; by default all that are installed. */
  readonly engines?: readonly EngineName[];
  /** `fast` unless told otherwise. */
  readonly kokoroQuality?: KokoroQuality;
  readonly onWorkerLost?: (engine: EngineName, reason: string) => void;
  /** Told of each chunk of text when it was spoken, or given up. */
  readonly onChunk?: (figures: ChunkFigures) => void;
}

const USUAL_QUEUE = 64;

/** Starts the engines whose models are installed. Resolves when the first of them can speak. */
export async function createSpeech(options: SpeechOptions): Promise<Speech> {
  const cores = availableParallelism();
  const workers = options.workers ?? Math.min(cores, 4);
  const admission = createAdmission(options.queue ?? USUAL_QUEUE);
  const pools = new Map<EngineName, Pool>();

  async function startInstalled(): Promise<void> {
    for (const engine of preferredEngines.filter((name) => options.engines?.includes(name) ?? true)) {
      // Kokoro's own decoder works on one text at a time with all cores; the others speak for many at once with one each.
      const alone = engine === "kokoro" && options.kokoroQuality === "full";
      const [size, threads] = alone ? [1, cores] : [workers, Math.max(1, Math.floor(cores / workers))];
      const spec = pools.has(engine)
        ? undefined
        : await engineSpec(engine, options.models, threads, options.kokoroQuality);
      if (!spec || pools.has(engine)) continue;
      const onWorkerLost = (reason: string) => options.onWorkerLost?.(engine, reason);
      pools.set(engine, createPool(spec, { size, onWorkerLost }));
    }
  }

  const voices = () => builtInVoices.filter((voice) => pools.has(voice.engine));
  const poolOf = (voice: SpokenVoice): Pool => {
    const pool = pools.get(voice.engine);
    if (!pool) throw new SpeechError("failed", `the models of ${voice.engine} are not installed`);
    return pool;
  };

  const onChunk = (figures: ChunkFigures): void => options.onChunk?.(figures);
  const speakers = { poolOf, spokenBy, onChunk };
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

  /** Waits for the best engine that can speak; one that cannot be loaded leaves its place to the next. */
  async function firstReady(): Promise<void> {
    for (const [engine, pool] of pools) {
      try {
        await pool.ready;
        return;
      } catch (error) {
        pools.delete(engine);
        await pool.close();
        if (pools.size === 0) throw error;
        options.onWorkerLost?.(engine, String(error instanceof Error ? error.message : error));
      }
    }
  }

  await startInstalled();
  warmUpText();
  await firstReady();

  return {
    voices,
    findVoice: (reference) => voices().find((voice) => voice.id === reference || voice.slug === reference),
    defaultVoice: (engine, language) =>
      defaultVoiceOf(
        voices().filter((voice) => engine === undefined || voice.engine === engine),
        language,
      ),
    refresh: startInstalled,
    workers: () => [...pools].flatMap(([engine, pool]) => pool.pids().map((pid) => ({ engine, pid }))),
    speak: (request, signal) => spoken(request, () => planChunks(request.text, chunkOptions(request)), signal),
    speakLive: (settings, input, signal, before) => {
      const chunks: ChunkSource = (ahead) => liveChunks(chunkOptions(settings), input, ahead, signal);
      return spoken(settings, before === undefined ? chunks : (ahead) => announced(chunks(ahead), before), signal);
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.close()));
    },
  };
}

async function* announced(chunks: ReturnType<ChunkSource>, before: BeforeChunk): AsyncGenerator<SpeechChunk | "idle"> {
  for await (const chunk of chunks) {
    if (chunk !== "idle") await before(chunk.text);
    yield chunk;
  }
}

/** The first text compiles the rules of reading, which takes longer than most texts do: no listener should wait for it. */
function warmUpText(): void {
  const options = { latency: "balanced", chunkLength: 200, minChunkLength: 50, normalize: true } as const;
  for (const _ of planChunks("On May 1st, 2 of 3 people paid $4.50.", { ...options, languageOf: () => "en-us" }));
}

function spokenBy(voice: SpokenVoice): EngineVoice {
  // Voices of the caller's own are vectors of the one engine that takes any, which speaks English.
  if (voice.own) return { language: "en-us", ...voice.own };
  return findBuiltIn(voice).spoken;
}

function findBuiltIn(voice: SpokenVoice): BuiltInVoice {
  const found = builtInVoices.find((other) => other.id === voice.id);
  if (!found) throw new SpeechError("failed", `no voice has the id ${voice.id}`);
  return found;
}
