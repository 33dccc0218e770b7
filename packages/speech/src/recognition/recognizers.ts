import { readSamples } from "../audio/decode/index.ts";
import { loadMoonshine } from "../engines/moonshine/moonshine.ts";
import type { Recognizer } from "../engines/recognizer.ts";
import { chunkSamples, leadChunks, loadSilero } from "../engines/silero/silero.ts";
import { loadWhisper } from "../engines/whisper/whisper.ts";
import { mayBeEnglish } from "./choose-language.ts";
import { heardEnglish, heardNobody, isCredible, isVoice } from "./credible.ts";
import type { ListenerJob, ListenerResult, ListenerSpec } from "./jobs.ts";
import { findPauses } from "./pauses.ts";
import { settleWords } from "./settle-words.ts";
import type { Region } from "./speech-regions.ts";

export const sampleRate = 16_000;
export const chunkSeconds = chunkSamples / sampleRate;

const toSample = (seconds: number) => Math.round(seconds * sampleRate);

/** Does the jobs of a worker process. */
export function createListener(spec: ListenerSpec) {
  const silero = once(() => loadSilero(spec.silero));
  const moonshine = once(async () => {
    if (!spec.moonshine) throw new Error("the model of Moonshine is not installed");
    return loadMoonshine(spec.moonshine, spec.threads);
  });
  const whisper = once(async () => {
    if (!spec.whisper) throw new Error("the model of Whisper is not installed");
    return loadWhisper(spec.whisper, spec.threads);
  });

  async function find({ path, region }: ListenerJob & { type: "find" }, signal: AbortSignal): Promise<ListenerResult> {
    const from = toSample(region.from);
    const lead = Math.min(from, leadChunks * chunkSamples);
    const samples = await readSamples(path, from - lead, toSample(region.to));
    const probabilities = await (await silero()).probabilities(samples, lead, signal);
    return { type: "found", probabilities, levels: levelsOf(samples.subarray(lead)) };
  }

  /** Whisper writes something in any case. Moonshine, though it knows English only, tells well whether there is a voice. */
  async function isMute(samples: Float32Array, certainty: number, signal: AbortSignal): Promise<boolean> {
    if (!spec.moonshine || isVoice(certainty)) return false;
    return heardNobody(await (await moonshine()).transcribe(samples, signal));
  }

  async function detect(
    { path, stretch }: ListenerJob & { type: "detect" },
    signal: AbortSignal,
  ): Promise<ListenerResult> {
    const samples = await samplesOf(path, stretch);
    if (await isMute(samples, stretch.certainty, signal)) return { type: "detected", guesses: [] };
    const guesses = await (await whisper()).detect(samples);
    if (!spec.moonshine || !mayBeEnglish(guesses)) return { type: "detected", guesses };
    const isEnglish = heardEnglish(await (await moonshine()).transcribe(samples, signal));
    return { type: "detected", guesses: isEnglish ? [{ language: "en", probability: 1 }] : guesses };
  }

  async function write(job: ListenerJob & { type: "write" }, signal: AbortSignal): Promise<ListenerResult> {
    const { from, to, regions, certainty } = job.stretch;
    const samples = await samplesOf(job.path, job.stretch);
    const recognizer: Recognizer = await (job.engine === "moonshine" ? moonshine() : whisper());
    const mute = job.engine === "whisper" && (await isMute(samples, certainty, signal));
    const heard = mute ? undefined : await recognizer.transcribe(samples, signal, job.language);
    if (!heard || !isCredible(heard, certainty)) return { type: "written", words: [] };
    const speech = { from: (regions[0]?.from ?? from) - from, to: (regions.at(-1)?.to ?? to) - from };
    const words = settleWords(heard.words, findPauses(samples, sampleRate), speech);
    return {
      type: "written",
      words: words.map((word) => ({ ...word, start: word.start + from, end: word.end + from })),
    };
  }

  return {
    run(job: ListenerJob, signal: AbortSignal): Promise<ListenerResult> {
      switch (job.type) {
        case "find":
          return find(job, signal);
        case "detect":
          return detect(job, signal);
        case "write":
          return write(job, signal);
      }
    },
  };
}

/** Loads at the first call; a load that failed is tried again at the next. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return async () => {
    loaded ??= load();
    try {
      return await loaded;
    } catch (error) {
      loaded = undefined;
      throw error;
    }
  };
}

async function samplesOf(path: string, stretch: Region): Promise<Float32Array> {
  return evenLoudness(await readSamples(path, toSample(stretch.from), toSample(stretch.to)));
}

function levelsOf(samples: Float32Array): Float32Array {
  const levels = new Float32Array(Math.ceil(samples.length / chunkSamples));
  for (let chunk = 0; chunk < levels.length; chunk++) {
    levels[chunk] = rms(samples.subarray(chunk * chunkSamples, (chunk + 1) * chunkSamples));
  }
  return levels;
}

const USUAL_LEVEL = 10 ** (-26 / 20);
const MOST_GAIN = 10 ** (30 / 20);

/** Soft speech is brought to the loudness that models were taught with. */
function evenLoudness(samples: Float32Array): Float32Array {
  const gain = Math.min(MOST_GAIN, USUAL_LEVEL / Math.max(rms(samples), 1e-6));
  return gain > 1.5 ? samples.map((sample) => Math.max(-1, Math.min(1, sample * gain))) : samples;
}

function rms(samples: Float32Array): number {
  let energy = 0;
  for (const sample of samples) energy += sample * sample;
  return Math.sqrt(energy / Math.max(1, samples.length));
}
