import { createDecoder } from "../../audio/decode/index.ts";
import { cloningEngine } from "../../engines/registry.ts";
import { sileroVad } from "../../engines/silero/models.ts";
import { SpeechError } from "../../errors.ts";
import { createClosing, withSignals } from "../../lib/join-signals.ts";
import { createSlots } from "../../lib/slots.ts";
import type { ModelStore } from "../../models/index.ts";
import { createRequestAdmission } from "../../pool/admission/request-admission.ts";
import type { Cluster } from "../../pool/remote/cluster.ts";
import { noMachine } from "../../pool/remote/refusals.ts";
import { createRemoteDecoder } from "../../pool/remote/remote-decoder.ts";
import type { AnalysisJob, AnalysisResult, AnalysisSpec, RecordingAnalysis, RecordingJob } from "./analysis.ts";
import { checkRecordings, type UsableRecording } from "./check-recordings.ts";
import { ANALYSIS_KIND, createCloningPools, createRemoteCloningPools } from "./cloning-pools.ts";
import { createRecordingDecoder, type DecodingRequest, inFolder, type LengthLimits } from "./decode-recordings.ts";
import { type AnalyzedRecording, type ClonedSound, makeVoice } from "./make-voice.ts";
import { type RefinementOutcome, type RefinementRequest, refineVoice } from "./refine/refine-voice.ts";
import { createRefinementPool } from "./refine/refinement-pool.ts";
import { refinementSpec } from "./refine/refinement-spec.ts";
import { refuseOtherEncoder } from "./refine/refuse-other-encoder.ts";
import { createRemoteRefinementPool, REFINEMENT_KIND } from "./refine/remote-refinement.ts";
import type { NetworkVector, SpeakerFeatures } from "./speaker-features.ts";
import type { EncodedVoice } from "./voice-encoder.ts";
import { speakerNetworkVersion, voiceEncoderVersion } from "./voice-encoder-version.ts";
import { xvectorFiles } from "./xvector/files.ts";
import { xvector } from "./xvector/models.ts";

export interface CloningOptions extends LengthLimits {
  readonly models: ModelStore;
  readonly onWorkerLost?: ((reason: string) => void) | undefined;
  /** Called by `requestModels`, to fetch the models of the set "clone". */
  readonly onModelsRequested?: (() => Promise<void>) | undefined;
  /** Works on the machines of a cluster, without models of its own. It belongs to the caller. */
  readonly cluster?: Cluster | undefined;
}

/** An analyzed recording, with its speech alone as Ogg Opus if that was requested. */
export type ClonedRecording = UsableRecording;

/** A cloned voice, for the engine `cloningEngine`. */
export interface ClonedVoice {
  readonly recordings: readonly ClonedRecording[];
  /** As fast as the speaker, if the texts of the recordings are known. */
  readonly voice: ClonedSound;
}

export interface CloneRequest extends DecodingRequest {
  /** Files with audio in any container and codec. */
  readonly recordings: readonly string[];
  /** The text of each recording, where it is known. */
  readonly texts?: readonly (string | undefined)[] | undefined;
  /** Removes rumble and steady noise first. */
  readonly enhance: boolean;
  /** Whether the speech of each recording is returned. */
  readonly keepSpeech: boolean;
  /** Speech of a recording beyond this is ignored. */
  readonly analyzedSeconds?: number | undefined;
}

/** A file with the speech of a recording, as `create` returns it. */
export type StoredRecording = DecodingRequest & { readonly path: string };

/** Makes voices from recordings of a speaker. */
export interface Cloning {
  /** Ids of the models that are not installed yet. */
  missingModels(): readonly string[];
  /** Asks for the missing models to be fetched. Resolves when they were, or when that has failed. */
  requestModels(): Promise<void>;
  /** Loads what the next voice needs, if it is installed: starting with that takes longer than all the rest. */
  prepare(): void;
  /**
   * Makes a voice that can be used at once. Throws `CloneError` when a recording cannot be used, `SpeechError` when the
   * service cannot do it now.
   */
  create(request: CloneRequest, signal: AbortSignal): Promise<ClonedVoice>;
  /** Makes the voice again, from what is known of recordings that were analyzed before. */
  remake(recordings: readonly AnalyzedRecording[], signal: AbortSignal): Promise<ClonedSound>;
  /**
   * The vector of a recording that was analyzed before, by an earlier version. Undefined when there is too little speech, or
   * when a machine of an earlier version analyzes it. Throws as `create` does.
   */
  networkVectorOf(recording: StoredRecording, signal: AbortSignal): Promise<NetworkVector | undefined>;
  /** Whether voices can be refined now: where the models are installed, or a machine of the cluster does it. */
  canRefine(): boolean;
  /**
   * Makes a voice more similar to its speaker, in minutes to an hour, one voice after the other. Recordings that cannot be
   * decoded are left out. Throws `RangeError` for a share that cannot be, `SpeechError` with `failed` when the voice cannot be
   * refined, with another code when the service cannot do it now.
   */
  refine(request: RefinementRequest, signal: AbortSignal): Promise<RefinementOutcome>;
  /** The version of the voice encoder here. Voices of another version are to be made again. */
  encoderVersion(): Promise<string>;
  /** The version of the speaker network here. Vectors of another version are to be measured again. */
  speakerNetworkVersion(): Promise<string>;
  /** Checks again which models are installed. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

/** Ids of the models that cloning needs. */
export const REQUIRED_MODELS = [cloningEngine.requiredModel, xvector.id, sileroVad.id];
const MAX_REQUESTS = 64;

/**
 * Opens cloning. Worker processes and models are loaded when they are first needed, and unloaded after some idle minutes.
 *
 * @example
 * ```ts
 * import { cloningEngine, createCloning, createModelStore, defaultModelsDirectory } from "@parlance/speech";
 *
 * const models = createModelStore({ directory: defaultModelsDirectory(process.env) });
 * await models.pull(["clone"]);
 * const cloning = await createCloning({ models, minSeconds: 1, maxSeconds: 120 });
 * const request = { recordings: ["reader.wav"], enhance: false, keepSpeech: false };
 * const { voice } = await cloning.create(request, AbortSignal.timeout(60_000));
 * export const reader = { id: "reader", engine: cloningEngine.name, custom: voice };
 * await cloning.close();
 * ```
 */
export async function createCloning(options: CloningOptions): Promise<Cloning> {
  const { models, minSeconds, maxSeconds, onWorkerLost } = options;
  const { cluster } = options;
  const decoder = cluster ? createRemoteDecoder(cluster) : createDecoder();
  const decodeRecording = createRecordingDecoder(decoder, options);
  const admission = createRequestAdmission(MAX_REQUESTS, "voices");
  const closing = createClosing();
  const pools = cluster ? createRemoteCloningPools(cluster, maxSeconds) : createCloningPools(onWorkerLost);
  const refinements = cluster ? createRemoteRefinementPool(cluster) : createRefinementPool({ onWorkerLost });
  const findMissing = async (): Promise<readonly string[]> => {
    const installed = await Promise.all(REQUIRED_MODELS.map((id) => models.has(id)));
    return REQUIRED_MODELS.filter((_, index) => !installed[index]);
  };
  let installedMissing = await findMissing();
  /** Where machines do the work, the models are theirs. */
  const missingNow = (): readonly string[] => {
    if (!cluster) return installedMissing;
    return cluster.workers(ANALYSIS_KIND) > 0 ? [] : REQUIRED_MODELS;
  };
  const canRefine = (): boolean => (cluster ? cluster.workers(REFINEMENT_KIND) > 0 : installedMissing.length === 0);
  const assertInstalled = (): void => {
    const missing = missingNow();
    if (missing.length > 0) throw new SpeechError("overloaded", `not installed: ${missing.join(", ")}`, 10);
  };

  async function decodeAndAnalyze(
    path: string,
    index: number,
    request: CloneRequest,
    folder: string,
    signal: AbortSignal,
  ): Promise<RecordingAnalysis> {
    const target = await decodeRecording(path, index, folder, request.owner, signal);
    const { enhance, keepSpeech, analyzedSeconds = maxSeconds } = request;
    const job = { path: target, enhance, keepSpeech, maxSeconds: analyzedSeconds };
    return analyze(job, request.owner, signal);
  }

  const specOf = (): AnalysisSpec => ({
    silero: models.path(sileroVad.id, "model.onnx"),
    xvector: xvectorFiles(models),
  });
  // One owner may keep all workers busy. A job of another one is the next to run.
  const turns = createSlots({
    capacity: () => (cluster ? Math.max(1, cluster.workers(ANALYSIS_KIND)) : 1) + 1,
    refusal: () => new SpeechError("overloaded", "too many recordings wait to be analyzed", 1),
  });
  const runAnalysis = (job: AnalysisJob, owner: string | undefined, signal: AbortSignal): Promise<AnalysisResult> =>
    turns.run(() => pools.analyze(specOf(), job, signal), signal, { owner });

  async function analyze(
    job: RecordingJob,
    owner: string | undefined,
    signal: AbortSignal,
  ): Promise<RecordingAnalysis> {
    const analysis = await runAnalysis(job, owner, signal);
    if (!("speechSeconds" in analysis)) throw new SpeechError("failed", "the voice analysis returned no analysis");
    return analysis;
  }

  async function encode(
    speaker: SpeakerFeatures,
    owner: string | undefined,
    signal: AbortSignal,
  ): Promise<EncodedVoice> {
    const result = await runAnalysis({ speaker, engine: cloningEngine.name, withEncoder: true }, owner, signal);
    // A machine of an earlier version returns the embedding alone.
    const { embedding, encoder } = "embedding" in result ? result : { embedding: result, encoder: "" };
    if (!(embedding instanceof Float32Array) || embedding.length !== cloningEngine.cloning.embeddingSize)
      throw new SpeechError("failed", "the voice analysis returned no embedding");
    return { embedding, encoder };
  }

  const remake = (
    recordings: readonly AnalyzedRecording[],
    signal: AbortSignal,
    owner?: string,
  ): Promise<ClonedSound> => makeVoice(recordings, (speaker) => encode(speaker, owner, signal));

  async function create(request: CloneRequest, signal: AbortSignal): Promise<ClonedVoice> {
    // It loads while the recordings are decoded.
    pools.prepare(specOf());
    return inFolder(request, async (folder) => {
      const analyses: RecordingAnalysis[] = [];
      for (const [index, path] of request.recordings.entries()) {
        analyses.push(await decodeAndAnalyze(path, index, request, folder, signal));
      }
      const recordings = checkRecordings(analyses, { minSeconds });
      const heard = recordings.map(({ vector, networkVector, pitch, pitchRange, speechSeconds }, index) => ({
        vector,
        networkVector,
        pitch,
        pitchRange,
        weight: speechSeconds,
        text: request.texts?.[index],
      }));
      return { recordings, voice: await remake(heard, signal, request.owner) };
    });
  }

  async function networkVectorOf(
    { path, ...request }: StoredRecording,
    signal: AbortSignal,
  ): Promise<NetworkVector | undefined> {
    // Noise was reduced before it was stored.
    const whole = { ...request, recordings: [path], enhance: false, keepSpeech: false };
    const analysis = await inFolder(request, (folder) => decodeAndAnalyze(path, 0, whole, folder, signal));
    return analysis.networkVector;
  }

  async function refine(request: RefinementRequest, signal: AbortSignal): Promise<RefinementOutcome> {
    // A machine of the cluster refuses by its own version.
    if (!cluster) refuseOtherEncoder(request.voice, await voiceEncoderVersion());
    const spec = await refinementSpec(models);
    return refineVoice(request, decodeRecording, (job) => refinements.refine(spec, job, signal), signal);
  }

  return {
    missingModels: missingNow,
    async requestModels() {
      await options.onModelsRequested?.();
    },
    prepare() {
      if (!closing.signal.aborted && missingNow().length === 0) pools.prepare(specOf());
    },
    async create(request, signal) {
      assertInstalled();
      closing.signal.throwIfAborted();
      const leave = admission.enter(request.owner);
      return withSignals([signal, closing.signal], (ending) => create(request, ending)).finally(leave);
    },
    async remake(recordings, signal) {
      assertInstalled();
      return withSignals([signal, closing.signal], (ending) => remake(recordings, ending));
    },
    async networkVectorOf(recording, signal) {
      assertInstalled();
      return withSignals([signal, closing.signal], (ending) => networkVectorOf(recording, ending));
    },
    canRefine,
    async refine(request, signal) {
      assertInstalled();
      if (!canRefine()) throw noMachine(REFINEMENT_KIND);
      return withSignals([signal, closing.signal], (ending) => refine(request, ending));
    },
    encoderVersion: () => voiceEncoderVersion(),
    speakerNetworkVersion: () => speakerNetworkVersion(),
    async refresh() {
      installedMissing = await findMissing();
    },
    async close() {
      closing.abort(new SpeechError("closed", "the service is shutting down"));
      await Promise.all([decoder.close(), pools.close(), refinements.close()]);
    },
  };
}
