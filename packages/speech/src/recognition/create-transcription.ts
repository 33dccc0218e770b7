import { availableParallelism } from "node:os";
import { join } from "node:path";
import { createDecoder } from "../audio/decode/index.ts";
import { createOpusDecoders } from "../audio/opus-packets/decoder-pool.ts";
import type { RecognizerSize } from "../engines/recognizer.ts";
import {
  type RecognizerName,
  recognizerDescriptor,
  recognizerDescriptors,
  recognizerNames,
} from "../engines/registry.ts";
import { sampleRate } from "../engines/silero/chunks.ts";
import { sileroVad } from "../engines/silero/models.ts";
import { SpeechError } from "../errors.ts";
import { createClosing, joinSignals, withSignals } from "../lib/join-signals.ts";
import { inTemporaryFolder } from "../lib/temporary-folder.ts";
import { noSpan, roundMs, withSpan } from "../lib/tracing.ts";
import type { Listening, ListeningRequest } from "../listening.ts";
import type { ModelStore } from "../models/index.ts";
import { createLiveAdmission } from "../pool/admission/live-admission.ts";
import { createRequestAdmission } from "../pool/admission/request-admission.ts";
import type { Cluster } from "../pool/remote/cluster.ts";
import { noMachine } from "../pool/remote/refusals.ts";
import { createRemoteDecoder } from "../pool/remote/remote-decoder.ts";
import type { Transcript, Transcription, TranscriptionRequest } from "../transcript.ts";
import { createAssign } from "./assign.ts";
import { createCombinedRecognition } from "./combined-recognition.ts";
import { installedRecognizers } from "./installed.ts";
import { createFrameDecoder } from "./live/frame-decoder.ts";
import { createListener } from "./live/listener.ts";
import type { ListenerParts } from "./live/listener-parts.ts";
import { listeningFormat, listenToOpus } from "./live/opus-listening.ts";
import { createRecognitionPool, type RecognitionPool, type RecognitionWorkers } from "./recognition-pool.ts";
import { createRemoteRecognition, RECOGNITION_KIND, remoteRecognizers } from "./remote-recognition.ts";
import { knownVoices } from "./speakers/known-voices.ts";
import { transcribeSamples } from "./transcribe-samples.ts";
import { createWorkerTurns } from "./worker-turns.ts";

export interface TranscriptionOptions {
  readonly models: ModelStore;
  /** Worker processes; by default one for each core, at most four. */
  readonly workers?: number | undefined;
  /** Recordings that are shorter or longer are refused. */
  readonly minSeconds?: number | undefined;
  readonly maxSeconds?: number | undefined;
  /** The size of the recognizer that exists in several; `base` by default. A size that is named is fetched when it is missing. */
  readonly size?: RecognizerSize | undefined;
  /** Recordings that may run or wait at a time; one more is refused, unless its owner has none here. 16 by default. */
  readonly queue?: number | undefined;
  /** Live streams at a time, whatever they cost. 64 by default. */
  readonly maxStreams?: number | undefined;
  readonly onWorkerLost?: ((reason: string) => void) | undefined;
  /** Decodes and recognizes on the machines of a cluster. It belongs to the caller. */
  readonly cluster?: Cluster | undefined;
  /** With a cluster: whether this process has models and workers of its own, too, and decodes itself. False by default. */
  readonly ownWorkers?: boolean | undefined;
}

const DEFAULT_QUEUE = 16;
const DEFAULT_MAX_STREAMS = 64;

/**
 * Opens speech to text. Worker processes and models are loaded for the first recording, and unloaded after some idle minutes.
 *
 * @example
 * ```ts
 * import { createModelStore, createTranscription, defaultModelsDirectory } from "@parlance/speech";
 *
 * const models = createModelStore({ directory: defaultModelsDirectory(process.env) });
 * await models.pull(["default"]);
 * const transcription = await createTranscription({ models });
 * const request = { path: "interview.mp3", granularity: "segment" } as const;
 * const { text, language, segments } = await transcription.transcribe(request, AbortSignal.timeout(600_000));
 * console.log(language, text);
 * for (const { start, end, text } of segments) console.log(start, end, text);
 * await transcription.close();
 * ```
 */
export async function createTranscription(options: TranscriptionOptions): Promise<Transcription> {
  const cores = availableParallelism();
  const workers = options.workers ?? Math.min(cores, 4);
  const threads = Math.max(1, Math.floor(cores / workers));
  const admission = createRequestAdmission(options.queue ?? DEFAULT_QUEUE, "transcriptions");
  const { cluster } = options;
  const hasOwn = cluster === undefined || options.ownWorkers === true;
  const liveCosts = Object.fromEntries(recognizerDescriptors.map(({ name, liveCost }) => [name, liveCost]));
  const maxStreams = options.maxStreams ?? DEFAULT_MAX_STREAMS;
  const workersNow = (): number => (hasOwn ? workers : 0) + (cluster?.workers(RECOGNITION_KIND) ?? 0);
  const turns = createWorkerTurns(workersNow);
  const liveAdmission = createLiveAdmission({
    workers: workersNow,
    maxStreams,
    costs: liveCosts,
  });
  const decoder = hasOwn ? createDecoder() : createRemoteDecoder(cluster);
  const opusDecoders = createOpusDecoders();
  const findInstalled = () => installedRecognizers(options.models, options.size ?? "base", threads);
  let installed = await findInstalled();
  const pool = createPool();
  const engines = (): readonly RecognizerName[] => {
    const elsewhere = cluster ? remoteRecognizers(cluster) : [];
    return recognizerNames.filter((name) => elsewhere.includes(name) || (hasOwn && installed.engines.includes(name)));
  };
  const tellsSpeakers = (): boolean =>
    (hasOwn && installed.spec.xvector !== undefined) || cluster?.info(RECOGNITION_KIND)?.tellsSpeakers === true;
  const closing = createClosing();

  function createPool(): RecognitionPool {
    if (!hasOwn) return createRemoteRecognition(cluster);
    const own = createRecognitionPool({ workers, onWorkerLost: options.onWorkerLost });
    return cluster ? createCombinedRecognition(own, () => installed, cluster) : own;
  }

  function assertRecognizers(): void {
    if (!hasOwn && cluster.workers(RECOGNITION_KIND) === 0) throw noMachine(RECOGNITION_KIND);
    if (engines().length === 0) throw new SpeechError("failed", "no model for speech to text is installed");
  }

  /** A size that was named is fetched for the first recording. */
  async function fetchNamedSize(signal: AbortSignal): Promise<void> {
    const { size } = options;
    if (!size || !hasOwn) return;
    const missing = recognizerDescriptors.filter(
      ({ name, sizeMeaning }) => sizeMeaning !== undefined && !installed.engines.includes(name),
    );
    if (missing.length === 0) return;
    await options.models.pull([sileroVad.id, ...missing.map(({ model }) => model(size))], { signal });
    installed = await findInstalled();
  }

  async function transcribe(request: TranscriptionRequest, signal: AbortSignal): Promise<Transcript> {
    await fetchNamedSize(signal);
    assertRecognizers();
    if (request.speakers && !tellsSpeakers()) {
      throw new SpeechError("overloaded", "the model for speaker diarization is not installed", 20);
    }
    const { trace = noSpan } = request;
    const translators = request.task === "translate" ? engines().filter(translates) : [];
    if (request.task === "translate" && translators.length === 0)
      throw new SpeechError("failed", "no recognizer that translates is installed");
    const listener = request.preferHints === true ? engines().find(takesHints) : undefined;
    const assign = createAssign(engines(), translators[0] ?? request.engine ?? listener);
    // A language that cannot be recognized is refused before any work.
    assign(request.language);
    return inTemporaryFolder("parlance-audio-", request.workFolder, async (folder) => {
      const path = join(folder, "samples");
      const { owner, speakers } = request;
      const limits = { minSeconds: request.minSeconds ?? options.minSeconds, maxSeconds: options.maxSeconds };
      const { seconds } = await withSpan(trace, "decode", async (span) => {
        const decoded = await decoder.decode(request.path, path, { owner, sampleRate, ...definedOnly(limits) }, signal);
        const { container, codec, channels, sourceRate } = decoded;
        span.set({ container, codec, channels, sample_rate: sourceRate, audio_seconds: roundMs(decoded.seconds) });
        return decoded;
      });
      await request.onDecoded?.(seconds);
      return await pool.use(
        installed.spec,
        async (all) => {
          const own = turns.of(owner, all);
          const known = await knownVoices(speakers?.known ?? [], { folder, owner }, decoder, own, signal);
          const asked = { ...request, speakers: speakers && { count: speakers.count, known } };
          return transcribeSamples({ path, seconds }, asked, assign, own, signal);
        },
        { probe: request.probe },
      );
    });
  }

  async function listen(request: ListeningRequest, signal: AbortSignal): Promise<Listening> {
    signal.throwIfAborted();
    closing.signal.throwIfAborted();
    await fetchNamedSize(signal);
    assertRecognizers();
    const assign = createAssign(engines(), request.engine);
    // Most streams are English, and others are counted as what they are once that is known.
    const likely = assign(request.language) ?? assign("en");
    const frames = createFrameDecoder(listeningFormat(request.format));
    const place = liveAdmission.enter(likely?.engine ?? "");
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const workers = await new Promise<RecognitionWorkers>((resolve, reject) => {
      const using = (found: RecognitionWorkers): Promise<void> => {
        resolve(found);
        return ended;
      };
      pool.use(installed.spec, using, { live: true }).catch(reject);
    }).catch((error: unknown) => {
      place.leave();
      frames.close();
      throw error;
    });
    const ending = joinSignals(signal, closing.signal);
    const parts: ListenerParts = {
      workers,
      assign,
      decoder: frames,
      share: liveAdmission.share,
      onCost: ({ engine, busySeconds, audioSeconds }) =>
        place.measured(engine ?? likely?.engine ?? "", busySeconds, audioSeconds),
      onEnd() {
        ending.release();
        place.leave();
        end();
      },
    };
    if (request.format.encoding !== "opus") return createListener(request, parts, ending.signal);
    return listenToOpus(opusDecoders, (stopped) => createListener(request, parts, stopped), ending.signal);
  }

  return {
    listen,
    engines,
    translators: () => engines().filter(translates),
    tellsSpeakers,
    languages: () => [...new Set(engines().flatMap((engine) => recognizerDescriptor(engine).languages))].sort(),
    async transcribe(request, signal) {
      signal.throwIfAborted();
      closing.signal.throwIfAborted();
      const leave = admission.enter(request.owner);
      return withSignals([signal, closing.signal], (ending) => transcribe(request, ending)).finally(leave);
    },
    async refresh() {
      installed = await findInstalled();
    },
    workers: pool.pids,
    async close() {
      closing.abort(new SpeechError("closed", "the service is shutting down"));
      opusDecoders.close();
      await Promise.all([decoder.close(), pool.close()]);
    },
  };
}

function translates(engine: RecognizerName): boolean {
  return recognizerDescriptor(engine).translates;
}

function takesHints(engine: RecognizerName): boolean {
  return recognizerDescriptor(engine).takesHints;
}

/** Without the entries that are undefined. */
function definedOnly<T extends object>(values: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}
