import { fileURLToPath } from "node:url";
import { createEncoder, OPUS_SAMPLE_RATE } from "../../audio/index.ts";
import { cloningEngine } from "../../engines/registry.ts";
import { loadSilero } from "../../engines/silero/silero.ts";
import { SpeechError } from "../../errors.ts";
import { concatBytes } from "../../lib/concat.ts";
import { lazy } from "../../lib/lazy.ts";
import { clippedShare, extractSpeech, findSpeech, secondsOf } from "./extract-speech.ts";
import { measurePitch, type PitchMeasurement } from "./pitch.ts";
import { type DecodedSpeech, readSpeech, resampledSpeech } from "./read-speech.ts";
import { reduceNoise } from "./reduce-noise.ts";
import type { NetworkVector, SpeakerFeatures } from "./speaker-features.ts";
import { loadSpeakerNetwork, meanVectorOf } from "./speaker-network.ts";
import { type EncodedVoice, loadVoiceEncoder } from "./voice-encoder.ts";
import { speakerNetworkVersion } from "./voice-encoder-version.ts";
import { cosine } from "./xvector/vectors.ts";
import { loadXVector, type XVector, type XVectorFiles } from "./xvector/xvector.ts";

export interface AnalysisSpec {
  /** Path of the voice activity model. */
  readonly silero: string;
  readonly xvector: XVectorFiles;
}

/** Analyze a recording, or encode the features of a speaker as an embedding. */
export type AnalysisJob = RecordingJob | EncodingJob;

export interface EncodingJob {
  readonly speaker: SpeakerFeatures;
  /** The engine that the embedding is for: an api node of another version may ask for another one. */
  readonly engine: string;
  /** Whether the version of the voice encoder is returned too: earlier versions take the numbers alone. */
  readonly withEncoder?: boolean | undefined;
}

export type AnalysisResult = RecordingAnalysis | EncodedVoice | Float32Array;

export interface RecordingJob extends DecodedSpeech {
  /** Whether noise is reduced first. */
  readonly enhance: boolean;
  /** Speech beyond this is ignored. */
  readonly maxSeconds: number;
  /** Whether the speech alone is returned as a file. */
  readonly keepSpeech: boolean;
}

/** A machine of an earlier version does not measure the range of the pitch. */
type Measured = Pick<PitchMeasurement, "pitch"> & Partial<PitchMeasurement>;

export interface RecordingAnalysis extends Measured {
  /** Seconds of speech in the whole recording. */
  readonly speechSeconds: number;
  /** The share of the speech that is clipped. */
  readonly clipped: number;
  /** The x-vector; undefined when there is too little speech. */
  readonly vector: Float32Array | undefined;
  /** Undefined when there is too little speech, and from a machine of an earlier version. */
  readonly networkVector?: NetworkVector | undefined;
  /** The similarity of the first and the second half; undefined when they are too short. */
  readonly halvesSimilarity: number | undefined;
  /** The speech alone, as Ogg Opus, if it was requested. */
  readonly speech: Uint8Array | undefined;
}

/** Shorter halves differ even when one person speaks. */
const MIN_HALF_SECONDS = 3;
const MIN_SPEECH_SECONDS = 0.5;
const SPEECH_BITRATE = 32_000;
/** It is half of the work. The vectors are the same with any number of threads. */
const XVECTOR_THREADS = 2;

/** Analyzes recordings of a speaker. For a process of its own: it blocks its thread. */
export function createAnalyzer(spec: AnalysisSpec) {
  const silero = lazy(() => loadSilero(spec.silero));
  const xvector = lazy(() => loadXVector(spec.xvector, XVECTOR_THREADS));
  const speakerNetwork = lazy(() => loadSpeakerNetwork(fileURLToPath(cloningEngine.cloning.speakerNetwork)));
  const networkVersion = lazy(() => speakerNetworkVersion());
  const encoder = lazy(() => loadVoiceEncoder());
  // The first voice does not wait for all of it. A job that needs what could not be loaded tries again, and gets the error.
  for (const load of [silero, xvector, speakerNetwork, networkVersion, encoder]) load().catch(() => {});

  async function analyze(job: RecordingJob, network: XVector, signal: AbortSignal): Promise<RecordingAnalysis> {
    const raw = await readSpeech(job);
    const regions = await findSpeech(raw, await silero(), signal);
    const samples = job.enhance ? reduceNoise(raw, regions) : raw;
    const speech = extractSpeech(samples, regions, job.maxSeconds);
    const speechSeconds = secondsOf(regions);
    const clipped = clippedShare(extractSpeech(raw, regions, job.maxSeconds));
    if (speechSeconds < MIN_SPEECH_SECONDS) {
      const unknown = { vector: undefined, pitch: undefined, halvesSimilarity: undefined, speech: undefined };
      return { speechSeconds, clipped, ...unknown };
    }
    const narrow = resampledSpeech(speech, network.sampleRate);
    signal.throwIfAborted();
    const middle = Math.floor(narrow.length / 2);
    const halves = [narrow.subarray(0, middle), narrow.subarray(middle)];
    const [first, second] =
      middle / network.sampleRate >= MIN_HALF_SECONDS
        ? await Promise.all(halves.map((half) => network.embed(half)))
        : [];
    return {
      speechSeconds,
      clipped,
      vector: await network.embed(narrow),
      networkVector: {
        values: await meanVectorOf(await speakerNetwork(), narrow, signal),
        network: await networkVersion(),
      },
      ...measurePitch(narrow, network.sampleRate),
      halvesSimilarity: first && second ? cosine(first, second) : undefined,
      speech: job.keepSpeech ? await encodeOpus(speech) : undefined,
    };
  }

  async function encode({ engine, speaker, withEncoder }: EncodingJob): Promise<EncodedVoice | Float32Array> {
    if (engine !== cloningEngine.name)
      throw new SpeechError(
        "failed",
        `voices are made for ${cloningEngine.name} here: upgrade the machine that asked for another engine`,
      );
    const voice = await (await encoder()).encode(speaker);
    return withEncoder === true ? voice : voice.embedding;
  }

  return async (job: AnalysisJob, signal: AbortSignal): Promise<AnalysisResult> =>
    "path" in job ? analyze(job, await xvector(), signal) : encode(job);
}

async function encodeOpus(samples: Float32Array): Promise<Uint8Array> {
  const encoder = createEncoder({
    format: "opus",
    sampleRate: OPUS_SAMPLE_RATE,
    mp3Bitrate: 128,
    opusBitrate: SPEECH_BITRATE,
  });
  try {
    const start = await encoder.encode(resampledSpeech(samples, OPUS_SAMPLE_RATE));
    return concatBytes([start, await encoder.finish()]);
  } finally {
    encoder.close();
  }
}
