import { openSamples } from "../../audio/decode/index.ts";
import { createEncoder, createResampler, OPUS_SAMPLE_RATE } from "../../audio/index.ts";
import { loadSilero } from "../../engines/silero/silero.ts";
import type { HeardSpeaker } from "./analyzed-speaker.ts";
import { enhance } from "./enhance.ts";
import { joined } from "./joined.ts";
import { medianPitch } from "./pitch.ts";
import { clippedShare, cutSpeech, findSpeech, HEARING_RATE, secondsOf } from "./speech-only.ts";
import { loadVoiceEncoder } from "./voice-encoder.ts";
import { cosine, loadXVector, type XVector, type XVectorFiles } from "./xvector/xvector.ts";

export interface HearingSpec {
  readonly silero: string;
  readonly xvector: XVectorFiles;
}

/** To listen to a recording, or to say with which vector Piper speaks as somebody does who was heard. */
export type HearingJob = ListeningJob | HeardSpeaker;

export interface ListeningJob {
  /** A decoded recording: mono, 16 bits, 16 kHz. */
  readonly path: string;
  /** Whether it is cleaned first. */
  readonly enhance: boolean;
  /** Speech beyond that is not listened to. */
  readonly mostSeconds: number;
  /** Whether what was listened to is wanted back, as a file. */
  readonly keep: boolean;
}

/** What was found out about a recording. */
export interface HeardRecording {
  /** Of speech, in the whole recording. */
  readonly speechSeconds: number;
  /** Which share of it is cut off because it was too loud. */
  readonly clipped: number;
  /** Who speaks; undefined when there is too little speech to tell. */
  readonly vector: Float32Array | undefined;
  /** In Hz. */
  readonly pitch: number | undefined;
  /** How alike the first and the second half are; undefined when they are too short to tell. */
  readonly agreement: number | undefined;
  /** The speech alone, as Ogg Opus. */
  readonly kept: Uint8Array | undefined;
}

/** Halves shorter than that differ even when one person speaks. */
const LEAST_HALF_SECONDS = 3;
const LEAST_SPEECH_SECONDS = 0.5;
const KEPT_BITS_PER_SECOND = 32_000;

/** Listens to recordings of a speaker. For a process of its own: it keeps its thread busy. */
export function createHearing(spec: HearingSpec) {
  const silero = loadSilero(spec.silero);
  const xvector = loadXVector(spec.xvector);
  const encoder = loadVoiceEncoder();
  // Whoever uses them hears of a failure; nobody has to.
  for (const loading of [silero, xvector, encoder]) loading.catch(() => {});

  async function listen(job: ListeningJob, network: XVector, signal: AbortSignal): Promise<HeardRecording> {
    const raw = await readAll(job.path);
    const regions = await findSpeech(raw, await silero, signal);
    const samples = job.enhance ? enhance(raw, regions) : raw;
    const speech = cutSpeech(samples, regions, job.mostSeconds);
    const speechSeconds = secondsOf(regions);
    const clipped = clippedShare(cutSpeech(raw, regions, job.mostSeconds));
    if (speechSeconds < LEAST_SPEECH_SECONDS) {
      return { speechSeconds, clipped, vector: undefined, pitch: undefined, agreement: undefined, kept: undefined };
    }
    const narrow = resampled(speech, network.sampleRate);
    signal.throwIfAborted();
    const middle = Math.floor(narrow.length / 2);
    const halves = [narrow.subarray(0, middle), narrow.subarray(middle)];
    const [first, second] =
      middle / network.sampleRate >= LEAST_HALF_SECONDS
        ? await Promise.all(halves.map((half) => network.embed(half)))
        : [];
    return {
      speechSeconds,
      clipped,
      vector: await network.embed(narrow),
      pitch: medianPitch(narrow, network.sampleRate),
      agreement: first && second ? cosine(first, second) : undefined,
      kept: job.keep ? await asOpus(speech) : undefined,
    };
  }

  return async (job: HearingJob, signal: AbortSignal): Promise<HeardRecording | Float32Array> =>
    "path" in job ? listen(job, await xvector, signal) : (await encoder).encode(job);
}

async function readAll(path: string): Promise<Float32Array> {
  const file = await openSamples(path);
  try {
    return await file.read(0, file.samples);
  } finally {
    await file.close();
  }
}

function resampled(samples: Float32Array, rate: number): Float32Array {
  const resampler = createResampler(HEARING_RATE, rate);
  return joined([resampler.push(samples), resampler.flush()]);
}

async function asOpus(samples: Float32Array): Promise<Uint8Array> {
  const encoder = createEncoder({
    format: "opus",
    sampleRate: OPUS_SAMPLE_RATE,
    mp3Bitrate: 128,
    opusBitrate: KEPT_BITS_PER_SECOND,
  });
  try {
    const start = await encoder.encode(resampled(samples, OPUS_SAMPLE_RATE));
    return new Uint8Array(Buffer.concat([start, await encoder.finish()]));
  } finally {
    encoder.close();
  }
}
