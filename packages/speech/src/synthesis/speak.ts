import { createResampler } from "../audio/index.ts";
import type { EngineVoice, WordTiming } from "../engines/engine.ts";
import { type JobReport, workClock } from "../pool/job-report.ts";
import type { Pool } from "../pool/pool.ts";
import type { ChunkAlignment, ChunkFigures, SpeechPart, SpeechSettings, SpokenVoice } from "../speech.ts";
import type { SpeechChunk } from "../text/index.ts";
import { createTally, noSpan } from "../tracing.ts";
import { type ChunkTrace, traceChunk } from "./chunk-trace.ts";
import { createMixer, type Mixer } from "./mixer.ts";
import { writtenSegments } from "./written-segments.ts";

/** Who speaks for a voice, and how the engine is told to. */
export interface Speakers {
  poolOf(voice: SpokenVoice): Pool;
  spokenBy(voice: SpokenVoice): EngineVoice;
  /** Told of each chunk when it is over. */
  onChunk?(figures: ChunkFigures): void;
}

/**
 * What is to be spoken, in order. `idle`: nothing is known to follow soon, so what was spoken must be heard whole now.
 * `ahead` tells how many seconds the listener still has to play.
 */
export type ChunkSource = (ahead: () => number) => AsyncIterable<SpeechChunk | "idle"> | Iterable<SpeechChunk>;

/** The one path from chunks to the bytes of a file: synthesise, resample, join, level, encode. */
export async function* speak(
  settings: SpeechSettings,
  source: ChunkSource,
  speakers: Speakers,
  signal: AbortSignal,
): AsyncGenerator<SpeechPart> {
  const first = voiceOf(settings, 0);
  const mixer = createMixer(settings, await speakers.poolOf(first).ready, first.engine);
  const ending = createTally(settings.trace ?? noSpan, "encode", { format: settings.output.format, end: true });
  let index = 0;
  try {
    for await (const chunk of source(mixer.ahead)) {
      if (chunk === "idle") yield* drain(mixer, index);
      else {
        const trace = traceChunk(settings, chunk, index);
        try {
          yield* speakChunk(chunk, index++, settings, speakers, mixer, trace, signal);
        } finally {
          trace.end();
        }
      }
    }
    const last = Math.max(0, index - 1);
    yield { bytes: await ending.add(() => mixer.write(mixer.joiner.finish())), chunk: last };
    yield { bytes: await ending.add(() => mixer.finish()), chunk: last };
  } finally {
    ending.end();
    mixer.close();
  }
}

async function* speakChunk(
  chunk: SpeechChunk,
  index: number,
  settings: SpeechSettings,
  speakers: Speakers,
  mixer: Mixer,
  { encoding, aligning, spoke }: ChunkTrace,
  signal: AbortSignal,
): AsyncGenerator<SpeechPart> {
  const { joiner } = mixer;
  const silence = joiner.startChunk();
  if (silence.length > 0) {
    yield { bytes: await encoding.add(() => mixer.write(silence)), chunk: Math.max(0, index - 1) };
  }
  const voice = voiceOf(settings, chunk.speaker);
  const pool = speakers.poolOf(voice);
  // The joiner keeps the first voice's rate, also when another engine speaks.
  const joinRate = await speakers.poolOf(voiceOf(settings, 0)).ready;
  let timings: readonly WordTiming[] = [];
  let kept = 0;
  let announced = false;
  let ended = false;
  const alignment = (): ChunkAlignment | undefined => {
    if (!joiner.placement) return undefined;
    const { start, headTrimmed } = joiner.placement;
    const duration = kept / joinRate;
    return {
      text: chunk.text,
      segments: writtenSegments(chunk, timings, headTrimmed / joinRate, ended ? duration : undefined),
      offset: start / joinRate + mixer.leadSeconds,
      duration,
    };
  };
  const part = async (samples: Float32Array): Promise<SpeechPart> => {
    kept += samples.length;
    const bytes = await encoding.add(() => mixer.write(samples));
    const aligned = announced ? undefined : aligning.addNow(alignment);
    announced ||= aligned !== undefined;
    return aligned ? { bytes, chunk: index, alignment: aligned } : { bytes, chunk: index };
  };

  if (chunk.words.length > 0) {
    const rate = await pool.ready;
    const resampler = createResampler(rate, joinRate);
    let made = 0;
    const onOver = (report: JobReport): void => {
      const { queuedAt, work, busyMs, outcome } = report;
      spoke(report, voice, made / rate);
      const queueMs = (work?.from ?? workClock()) - queuedAt;
      if (settings.uncounted !== true)
        speakers.onChunk?.({ engine: voice.engine, queueMs, busyMs, audioSeconds: made / rate, outcome });
    };
    try {
      const options = { speed: settings.speed, temperature: settings.temperature, seed: seedOf(settings, index) };
      const job = { chunk, voice: speakers.spokenBy(voice), options, ahead: mixer.ahead() };
      for await (const window of pool.synthesize(job, signal, onOver)) {
        made += window.samples.length;
        timings = window.timings ? [...timings, ...window.timings] : timings;
        for (const slice of slices(window.samples)) {
          const samples = joiner.push(resampler.push(slice));
          if (samples.length > 0) yield await part(samples);
        }
      }
      const rest = joiner.push(resampler.flush());
      if (rest.length > 0) yield await part(rest);
    } finally {
      resampler.close();
    }
  }
  // Now the length is known for certain: the last word on this chunk.
  announced = false;
  ended = true;
  yield await part(joiner.endChunk(chunk.boundary, chunk.pauseAfter));
}

const REST_SECONDS = 0.02;
const MOST_RESTS = 20;

/** Codecs hold the newest samples back until more come: silence, off the pause that is owed anyway, moves them out. */
async function* drain(mixer: Mixer, index: number): AsyncGenerator<SpeechPart> {
  for (let rests = 0; rests < MOST_RESTS && !mixer.drained; rests++) {
    yield { bytes: await mixer.write(mixer.joiner.rest(REST_SECONDS)), chunk: Math.max(0, index - 1) };
  }
}

/** Who speaks for a speaker of the text. */
export function voiceOf(settings: SpeechSettings, speaker: number): SpokenVoice {
  const voice = settings.voices[speaker] ?? settings.voices.at(-1);
  if (!voice) throw new Error("a request for speech names at least one voice");
  return voice;
}

/** The language of each speaker's voice. */
export function languageOf(settings: SpeechSettings, speakers: Speakers): (speaker: number) => string {
  return (speaker) => speakers.spokenBy(voiceOf(settings, speaker)).language;
}

/** About half a second: an engine may give a whole sentence at once, but the event loop has others to serve. */
const SLICE_SAMPLES = 12_000;

function* slices(samples: Float32Array): Generator<Float32Array> {
  for (let start = 0; start < samples.length; start += SLICE_SAMPLES) {
    yield samples.subarray(start, start + SLICE_SAMPLES);
  }
}

/** Each chunk has noise of its own; all of it follows from the request's seed. */
function seedOf(settings: SpeechSettings, index: number): number {
  return (settings.seed + Math.imul(index, 0x9e3779b1)) | 0;
}
