import { readSamples } from "../audio/decode/index.ts";
import { createResampler } from "../audio/index.ts";
import { rms } from "../audio/rms.ts";
import type { Recognizer } from "../engines/recognizer.ts";
import { type RecognizerName, recognizerDescriptor, recognizerDescriptors } from "../engines/registry.ts";
import { chunkSamples, sampleRate } from "../engines/silero/chunks.ts";
import { loadSilero } from "../engines/silero/silero.ts";
import { concatSamples } from "../lib/concat.ts";
import { lazy } from "../lib/lazy.ts";
import type { RunJob } from "../pool/job-worker.ts";
import { loadXVector, type XVector } from "../voices/clone/xvector/xvector.ts";
import { alignToPauses } from "./align-to-pauses.ts";
import { mayBeEnglish } from "./choose-language.ts";
import { isCertainEnglish, isCertainVoice, isCredible, isNoSpeech } from "./confidence.ts";
import type { AudioSource, RecognitionJob, RecognitionResult, RecognitionSpec } from "./jobs.ts";
import { withLead } from "./lead.ts";
import { findPauses } from "./pauses.ts";
import { groupVoices } from "./speakers/group-voices.ts";
import type { Region } from "./speech-regions.ts";

const toSample = (seconds: number) => Math.round(seconds * sampleRate);

/** Runs the jobs of a recognition worker. */
export function createJobRunner(spec: RecognitionSpec): RunJob<RecognitionJob, RecognitionResult> {
  const silero = lazy(() => loadSilero(spec.silero));
  const recognizers = new Map<RecognizerName, () => Promise<Recognizer>>();
  for (const { name, load } of recognizerDescriptors) {
    const files = spec.recognizers[name];
    if (files)
      recognizers.set(
        name,
        lazy(() => load(files, spec.threads)),
      );
  }
  const recognizer = (name: RecognizerName): Promise<Recognizer> => {
    const load = recognizers.get(name);
    if (!load) throw new Error(`the model of ${name} is not installed`);
    return load();
  };
  const xvector = lazy(async (): Promise<XVector> => {
    if (!spec.xvector) throw new Error("the model for speaker diarization is not installed");
    return loadXVector(spec.xvector, spec.threads);
  });
  const detectorName = recognizerDescriptors.find(({ detectsLanguage }) => detectsLanguage)?.name;
  const verifierName = recognizerDescriptors.find(({ rejectsNonSpeech }) => rejectsNonSpeech)?.name;
  /** A fast recognizer for English that returns no text without speech, if it is installed. */
  const verifier = verifierName && recognizers.get(verifierName);

  async function detectSpeech({ audio, region }: JobOf<"detect-speech">, signal: AbortSignal) {
    const extended = withLead(region);
    const lead = toSample(region.from) - toSample(extended.from);
    const samples = await readAudio(audio, extended);
    const probabilities = await (await silero()).probabilities(samples, lead, signal);
    return { type: "speech", probabilities, levels: levelsOf(samples.subarray(lead)) } as const;
  }

  async function followSpeech({ samples, state }: JobOf<"follow-speech">) {
    const values = toFloats(samples);
    return { type: "followed", ...(await (await silero()).follow(values, state)), levels: levelsOf(values) } as const;
  }

  async function hasNoSpeech(samples: Float32Array, certainty: number, signal: AbortSignal): Promise<boolean> {
    if (!verifier || isCertainVoice(certainty)) return false;
    return isNoSpeech(await (await verifier()).transcribe(samples, signal));
  }

  async function detectLanguage({ audio, span }: JobOf<"detect-language">, signal: AbortSignal) {
    const samples = await samplesOf(audio, span);
    if (await hasNoSpeech(samples, span.certainty, signal)) return { type: "language", guesses: [] } as const;
    if (!detectorName) throw new Error("no recognizer detects languages");
    const guesses = (await (await recognizer(detectorName)).detectLanguage?.(samples)) ?? [];
    if (!verifier || !mayBeEnglish(guesses)) return { type: "language", guesses } as const;
    const isEnglish = isCertainEnglish(await (await verifier()).transcribe(samples, signal));
    return { type: "language", guesses: isEnglish ? [{ language: "en", probability: 1 }] : guesses } as const;
  }

  async function transcribe(job: JobOf<"transcribe">, signal: AbortSignal): Promise<RecognitionResult> {
    const { from, to, regions, certainty } = job.span;
    const samples = await samplesOf(job.audio, job.span);
    const chosen = await recognizer(job.engine);
    const { rejectsNonSpeech } = recognizerDescriptor(job.engine);
    const noSpeech = !rejectsNonSpeech && (await hasNoSpeech(samples, certainty, signal));
    const { language, task, hints, judgesEnd, known } = job;
    const result = noSpeech
      ? undefined
      : await chosen.transcribe(samples, signal, language, task, hints, { judgesEnd, known });
    if (!result || !isCredible(result, certainty))
      return { type: "words", words: [], confidence: result?.confidence ?? 0 };
    const speech = { from: (regions[0]?.from ?? from) - from, to: (regions.at(-1)?.to ?? to) - from };
    const words = alignToPauses(result.words, findPauses(samples, sampleRate), speech);
    return {
      type: "words",
      confidence: result.confidence,
      words: words.map((word) => ({ ...word, start: word.start + from, end: word.end + from })),
      ...(result.sentenceEnd === undefined ? {} : { sentenceEnd: result.sentenceEnd }),
      ...(result.contextWords === undefined ? {} : { contextWords: result.contextWords }),
      ...(result.isRevised === undefined ? {} : { isRevised: result.isRevised }),
    };
  }

  async function embedVoices({ audio, span, windows }: JobOf<"embed-voices">): Promise<RecognitionResult> {
    const network = await xvector();
    const resampler = createResampler(sampleRate, network.sampleRate);
    const narrow = concatSamples([resampler.push(await samplesOf(audio, span)), resampler.flush()]);
    const inSpan = windows.map(({ from, to }) => ({ from: from - span.from, to: to - span.from }));
    return { type: "voices", vectors: await network.embedWindows(narrow, inSpan) };
  }

  return async (job, signal) => {
    switch (job.type) {
      case "prepare":
        await Promise.all([silero(), job.engine && (await recognizer(job.engine)).prepareLive?.()]);
        return { type: "prepared" };
      case "detect-speech":
        return detectSpeech(job, signal);
      case "follow-speech":
        return followSpeech(job);
      case "detect-language":
        return detectLanguage(job, signal);
      case "transcribe":
        return transcribe(job, signal);
      case "embed-voices":
        return embedVoices(job);
      case "group-voices":
        return { type: "grouped", ...groupVoices(job) };
    }
  };
}

type JobOf<Type extends RecognitionJob["type"]> = Extract<RecognitionJob, { type: Type }>;

async function samplesOf(audio: AudioSource, region: Region): Promise<Float32Array> {
  return raiseLevel(await readAudio(audio, region));
}

async function readAudio(audio: AudioSource, { from, to }: Region): Promise<Float32Array> {
  if ("path" in audio) return readSamples(audio.path, toSample(from), toSample(to));
  return toFloats(audio.samples.subarray(toSample(from - audio.from), toSample(to - audio.from)));
}

function toFloats(samples: Int16Array): Float32Array {
  return Float32Array.from(samples, (sample) => sample / 32768);
}

function levelsOf(samples: Float32Array): Float32Array {
  const levels = new Float32Array(Math.ceil(samples.length / chunkSamples));
  for (let chunk = 0; chunk < levels.length; chunk++) {
    levels[chunk] = rms(samples.subarray(chunk * chunkSamples, (chunk + 1) * chunkSamples));
  }
  return levels;
}

const TRAINING_LEVEL = 10 ** (-26 / 20);
const MAX_GAIN = 10 ** (30 / 20);

/** Amplifies quiet speech to the level that the models were trained with. */
function raiseLevel(samples: Float32Array): Float32Array {
  const gain = Math.min(MAX_GAIN, TRAINING_LEVEL / Math.max(rms(samples), 1e-6));
  return gain > 1.5 ? samples.map((sample) => Math.max(-1, Math.min(1, sample * gain))) : samples;
}
