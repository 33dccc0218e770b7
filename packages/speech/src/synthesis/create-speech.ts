import { availableParallelism } from "node:os";
import type { SynthesisQuality } from "../engines/descriptor.ts";
import type { EngineVoice } from "../engines/engine.ts";
import { cloningEngine } from "../engines/registry.ts";
import { SpeechError } from "../errors.ts";
import type { ModelStore } from "../models/index.ts";
import { createStreamAdmission } from "../pool/admission/stream-admission.ts";
import type { ChunkSource, StreamRequest } from "../pool/admission/stream-demand.ts";
import type { Pool } from "../pool/pool.ts";
import type { Cluster } from "../pool/remote/cluster.ts";
import { remoteAdmission } from "../pool/remote/remote-admission.ts";
import type { WatchdogTimes } from "../pool/watchdog.ts";
import type { ChunkMetrics, EngineName, LiveHooks, Speech, SpeechSettings, SpeechVoice, VoiceMix } from "../speech.ts";
import {
  type ChunkOptions,
  createLanguageFinder,
  type LatinScores,
  loadLatinScores,
  parsePronunciations,
  planChunks,
  type SpeechChunk,
} from "../text/index.ts";
import { defaultVoiceOf } from "../voices/default-voice.ts";
import { engineLanguages } from "../voices/engine-languages.ts";
import { stockVoices } from "../voices/stock-voices.ts";
import { createEnginePools } from "./engine-pools.ts";
import { findersOf, languageOf } from "./languages.ts";
import { LivePlan } from "./live-plan.ts";
import { liveChunks } from "./live-source.ts";
import { planInTurns } from "./plan-in-turns.ts";
import { speak, voiceOf } from "./speak.ts";

export interface SpeechOptions {
  readonly models: ModelStore;
  /** Worker processes per engine; by default one for each core, at most four. */
  readonly workers?: number;
  /** Requests that may run or wait at a time; one more is refused. 64 by default. */
  readonly queue?: number;
  /**
   * Refuse a stream that could not be kept ahead of its playback together with all that run; true by default. When false,
   * all streams share the machine, and playback during synthesis may stall.
   */
  readonly keepAhead?: boolean;
  /** Engines to use; by default all that are installed. */
  readonly engines?: readonly EngineName[];
  /** `fast` by default. */
  readonly quality?: SynthesisQuality;
  readonly onWorkerLost?: (engine: EngineName, reason: string) => void;
  /** Called when a chunk of text was spoken, or has failed. */
  readonly onChunk?: (metrics: ChunkMetrics) => void;
  /** How soon unresponsive workers are noticed; shorter in tests. */
  readonly watchdog?: Partial<WatchdogTimes>;
  /** Speaks on the machines of a cluster. It belongs to the caller, who closes it. */
  readonly cluster?: Cluster | undefined;
  /** With a cluster: whether this process has models and workers of its own, too. False by default. */
  readonly ownWorkers?: boolean | undefined;
}

const DEFAULT_QUEUE = 64;

/**
 * Starts the engines whose models are installed. Resolves when the first of them is ready.
 *
 * @example
 * ```ts
 * import { writeFile } from "node:fs/promises";
 * import { createModelStore, createSpeech, defaultModelsDirectory, defaultRequest } from "@parlance/speech";
 *
 * const models = createModelStore({ directory: defaultModelsDirectory(process.env) });
 * await models.pull(["default"]);
 * const speech = await createSpeech({ models });
 * const voice = speech.defaultVoice();
 * if (!voice) throw new Error("no voice is installed");
 * const output = { format: "wav", sampleRate: 24_000, mp3Bitrate: 128, opusBitrate: "auto" } as const;
 * const parts: Uint8Array[] = [];
 * const request = defaultRequest("Hello from this machine.", voice, { output });
 * for await (const { bytes } of speech.speak(request, AbortSignal.timeout(60_000))) parts.push(bytes);
 * await writeFile("hello.wav", Buffer.concat(parts));
 * await speech.close();
 * ```
 */
export async function createSpeech(options: SpeechOptions): Promise<Speech> {
  const { cluster } = options;
  const cores = availableParallelism();
  const workers = options.workers ?? Math.min(cores, 4);
  const quality = options.quality ?? "fast";
  const engines = createEnginePools({ ...options, workers, cores, quality });
  const admission = createStreamAdmission({
    queue: options.queue ?? DEFAULT_QUEUE,
    keepAhead: options.keepAhead ?? true,
    engines: engines.capacities,
    ...(cluster ? remoteAdmission(cluster, engines.ownWorkers) : {}),
  });
  cluster?.shareNeeds(admission.needs);
  const { pools } = engines;

  const voices = () => stockVoices.filter(({ engine }) => engines.isOffered(engine));
  const poolOf = (voice: SpeechVoice): Pool => {
    const pool = pools.get(voice.engine);
    if (!pool) throw new SpeechError("failed", `the models of ${voice.engine} are not installed`);
    return pool;
  };

  const onChunk = (metrics: ChunkMetrics): void => options.onChunk?.(metrics);
  /** Where no voice was named, each language is spoken by its own default voice. */
  const voiceOfChunk = (settings: SpeechSettings, { speaker, language }: SpeechChunk): SpeechVoice => {
    const voice = voiceOf(settings, speaker);
    if (settings.voiceByLanguage !== true || engineVoiceOf(voice).language === language) return voice;
    const tag = engineLanguages(voice.engine).find(({ name }) => name === language)?.tag;
    const own = voices().filter(({ engine }) => engine === voice.engine);
    return (tag === undefined ? undefined : defaultVoiceOf(own, tag)) ?? voice;
  };
  const resolver = { poolOf, engineVoiceOf, voiceOfChunk, onChunk };
  const chunkOptions = (settings: SpeechSettings): ChunkOptions => ({
    latency: settings.latency,
    chunkLength: settings.chunkLength,
    minChunkLength: settings.minChunkLength,
    normalize: settings.normalizeText,
    pronunciations: settings.pronunciations && parsePronunciations(settings.pronunciations),
    languageOf: (speaker) => {
      const voice = voiceOf(settings, speaker);
      return languageOf(settings, voice, engineVoiceOf(voice));
    },
    finderOf: findersOf(settings, engineVoiceOf, latinScores),
  });
  const streamRequest = (settings: SpeechSettings, text: string | LivePlan): StreamRequest => ({
    engines: [voiceOf(settings, 0).engine, ...settings.voices.slice(1).map((voice) => voice.engine)],
    ...(typeof text === "string"
      ? { characters: text.length }
      : { characters: undefined, waiting: () => text.waiting }),
    speed: settings.speed,
    internal: settings.internal,
  });
  async function* admitAndSpeak(
    settings: SpeechSettings,
    text: string | LivePlan,
    source: ChunkSource,
    signal: AbortSignal,
    hooks: LiveHooks = {},
  ) {
    const stream = admission.join(streamRequest(settings, text));
    const onChunkEnd = (metrics: ChunkMetrics): void => {
      stream.chunkEnded(metrics);
      onChunk(metrics);
    };
    const tracked = stream.track(source, signal);
    // The stream is accepted or refused before the caller is notified of a chunk.
    const chunks: ChunkSource = (ahead) => announced(tracked(ahead), hooks);
    try {
      for await (const part of speak(settings, chunks, { ...resolver, onChunk: onChunkEnd }, signal)) {
        stream.pause();
        yield part;
        stream.resume();
      }
    } finally {
      stream.leave();
    }
  }

  await engines.start();
  const latinScores = await loadLatinScores();
  warmUpText([...pools.keys()], latinScores);
  await engines.firstReady();

  return {
    voices,
    findVoice: (reference) => voices().find((voice) => voice.id === reference || voice.slug === reference),
    defaultVoice: (engine, language) =>
      defaultVoiceOf(
        voices().filter((voice) => engine === undefined || voice.engine === engine),
        language,
      ),
    refresh: engines.start,
    workers: () => [...pools].flatMap(([engine, pool]) => pool.pids().map((pid) => ({ engine, pid }))),
    capacityUsed: admission.usedRatio,
    queued: () => [...pools].map(([engine, pool]) => ({ engine, chunks: pool.queued() })),
    waitForCapacity: (settings, text, signal) => admission.waitForCapacity(streamRequest(settings, text), signal),
    speak: (request, signal) =>
      admitAndSpeak(
        request,
        request.text,
        () => planInTurns(request.text, chunkOptions(request), signal, request.trace),
        signal,
      ),
    speakLive: (settings, input, signal, hooks) => {
      const plan = new LivePlan(chunkOptions(settings));
      const chunks: ChunkSource = (ahead) => liveChunks(plan, input, ahead, signal, settings.trace);
      return admitAndSpeak(settings, plan, chunks, signal, hooks);
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.close()));
    },
  };
}

async function* announced(
  chunks: ReturnType<ChunkSource>,
  { beforeChunk, onIdle }: LiveHooks,
): AsyncGenerator<SpeechChunk | "idle" | "silence"> {
  for await (const chunk of chunks) {
    if (chunk === "idle") onIdle?.();
    else if (chunk !== "silence") await beforeChunk?.(chunk.text);
    yield chunk;
  }
}

const WARM_UP_TEXT =
  "On May 1st, 2 of 3 people paid $4.50 for the whole day, and nobody who had come by train, by bus or on foot had to wait.";
const WARM_UPS = 3;

/** The first texts compile the normalization rules, which takes longer than most texts: no request should wait for it. */
function warmUpText(engines: readonly EngineName[], latinScores: LatinScores): void {
  const languages = [...new Set(engines.flatMap((engine) => engineLanguages(engine).map(({ name }) => name)))];
  const finder = createLanguageFinder({ voiceLanguage: "en-us", languages, latinScores, pinned: false });
  const options = { latency: "balanced", chunkLength: 200, minChunkLength: 50, normalize: true } as const;
  const all = { ...options, languageOf: () => "en-us", finderOf: () => finder };
  for (let run = 0; run < WARM_UPS; run++) for (const _ of planChunks(WARM_UP_TEXT, all));
}

function engineVoiceOf(voice: SpeechVoice): EngineVoice {
  if (voice.custom) return { language: cloningEngine.cloning.language, ...voice.custom };
  if (voice.mix) return mixedEngineVoice(voice.mix);
  const found = stockVoices.find((other) => other.id === voice.id);
  if (!found) throw new SpeechError("failed", `no voice has the id ${voice.id}`);
  return found.engineVoice;
}

function mixedEngineVoice({ parts, pitch, pace }: VoiceMix): EngineVoice {
  const voices = parts.map(({ voice: slug, weight }) => {
    const found = stockVoices.find((voice) => voice.slug === slug)?.engineVoice;
    if (typeof found?.embedding !== "string") throw new SpeechError("failed", `${slug} cannot be mixed`);
    return { language: found.language, name: found.embedding, weight };
  });
  const [first] = voices;
  if (!first) throw new SpeechError("failed", "a mix needs a voice");
  return { language: first.language, embedding: voices.map(({ name, weight }) => ({ name, weight })), pitch, pace };
}
