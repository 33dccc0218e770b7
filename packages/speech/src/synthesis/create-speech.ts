import { availableParallelism } from "node:os";
import { engineSpec } from "../engines/catalogue.ts";
import type { EngineVoice } from "../engines/engine.ts";
import type { KokoroQuality } from "../engines/kokoro/voicing.ts";
import type { ModelStore } from "../models/index.ts";
import { createSpeechAdmission } from "../pool/admission/stream-admission.ts";
import type { StreamWish } from "../pool/admission/stream-demand.ts";
import { createPool, type Pool } from "../pool/pool.ts";
import type { WatchTimes } from "../pool/watchdog.ts";
import {
  type BeforeChunk,
  type ChunkFigures,
  type EngineName,
  type Speech,
  SpeechError,
  type SpeechSettings,
  type SpokenVoice,
} from "../speech.ts";
import { type ChunkOptions, planChunks, type SpeechChunk } from "../text/index.ts";
import { type BuiltInVoice, builtInVoices, defaultVoiceOf, preferredEngines } from "../voices/index.ts";
import { traceReading } from "./chunk-trace.ts";
import { liveChunks } from "./live-source.ts";
import { type ChunkSource, languageOf, speak, voiceOf } from "./speak.ts";

export type { KokoroQuality } from "../engines/kokoro/voicing.ts";

export interface SpeechOptions {
  readonly models: ModelStore;
  /** Worker processes per engine; by default as many as there are cores, at most four. */
  readonly workers?: number;
  /** Requests that may be spoken or wait at one time; one more is refused. */
  readonly queue?: number;
  /**
   * Refuse what could not be kept ahead of playback together with all that is spoken, however few they are: on unless
   * told otherwise. Off, all get what there is, and who plays while it comes may have to wait for words.
   */
  readonly keepAhead?: boolean;
  /** Engines to use; by default all that are installed. */
  readonly engines?: readonly EngineName[];
  /** `fast` unless told otherwise. */
  readonly kokoroQuality?: KokoroQuality;
  readonly onWorkerLost?: (engine: EngineName, reason: string) => void;
  /** Told of each chunk of text when it was spoken, or given up. */
  readonly onChunk?: (figures: ChunkFigures) => void;
  /** How soon workers that are dead to the world are noticed; shorter than usual in tests. */
  readonly watch?: Partial<WatchTimes>;
}

const USUAL_QUEUE = 64;

/** Starts the engines whose models are installed. Resolves when the first of them can speak. */
export async function createSpeech(options: SpeechOptions): Promise<Speech> {
  const cores = availableParallelism();
  const workers = options.workers ?? Math.min(cores, 4);
  // Kokoro's own decoder works on one text at a time with all cores; the others speak for many at once with one each.
  const kokoroAlone = options.kokoroQuality === "full";
  const admission = createSpeechAdmission({
    queue: options.queue ?? USUAL_QUEUE,
    keepAhead: options.keepAhead ?? true,
    engines: {
      kokoro: kokoroAlone ? { workers: 1, prior: 1 } : { workers, prior: 0.2 },
      piper: { workers, prior: 0.15 },
    },
  });
  const pools = new Map<EngineName, Pool>();

  async function startInstalled(): Promise<void> {
    for (const engine of preferredEngines.filter((name) => options.engines?.includes(name) ?? true)) {
      const alone = engine === "kokoro" && kokoroAlone;
      const [size, threads] = alone ? [1, cores] : [workers, Math.max(1, Math.floor(cores / workers))];
      const spec = pools.has(engine)
        ? undefined
        : await engineSpec(engine, options.models, threads, options.kokoroQuality);
      if (!spec || pools.has(engine)) continue;
      const onWorkerLost = (reason: string) => options.onWorkerLost?.(engine, reason);
      pools.set(engine, createPool(spec, { size, onWorkerLost, watch: options.watch }));
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
  const wishOf = ({ voices, speed, uncounted }: SpeechSettings, text?: string): StreamWish => ({
    engines: voices.map((voice) => voice.engine),
    characters: text?.length,
    speed,
    unheard: uncounted,
  });
  async function* spoken(
    settings: SpeechSettings,
    text: string | undefined,
    source: ChunkSource,
    signal: AbortSignal,
    before: BeforeChunk = async () => {},
  ) {
    const stream = admission.join(wishOf(settings, text));
    const told = (figures: ChunkFigures): void => {
      stream.spoke(figures);
      onChunk(figures);
    };
    const engineOf = (chunk: SpeechChunk) => voiceOf(settings, chunk.speaker).engine;
    const watched = stream.watch(source, engineOf, signal);
    // Whether there is room is known before anybody is told of a chunk.
    const chunks: ChunkSource = (ahead) => announced(watched(ahead), before);
    try {
      for await (const part of speak(settings, chunks, { ...speakers, onChunk: told }, signal)) {
        stream.hold();
        yield part;
        stream.resume();
      }
    } finally {
      stream.leave();
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
    waiting: () => [...pools].map(([engine, pool]) => ({ engine, chunks: pool.waiting() })),
    requireRoom: (settings, text) => admission.requireRoom(wishOf(settings, text)),
    speak: (request, signal) =>
      spoken(request, request.text, () => reading(request, planChunks(request.text, chunkOptions(request))), signal),
    speakLive: (settings, input, signal, before) => {
      const chunks: ChunkSource = (ahead) => liveChunks(chunkOptions(settings), input, ahead, signal, settings.trace);
      return spoken(settings, undefined, chunks, signal, before);
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.close()));
    },
  };
}

function reading({ trace }: SpeechSettings, chunks: Iterable<SpeechChunk>): Iterable<SpeechChunk> {
  return trace === undefined ? chunks : traceReading(chunks, trace);
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
