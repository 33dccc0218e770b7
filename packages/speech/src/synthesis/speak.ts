import { createResampler } from "../audio/index.ts";
import type { EngineVoice, WordTiming } from "../engines/engine.ts";
import { createStepSpan, monotonicTime, noSpan } from "../lib/tracing.ts";
import type { ChunkSource } from "../pool/admission/stream-demand.ts";
import type { JobReport } from "../pool/job-report.ts";
import type { Pool } from "../pool/pool.ts";
import type { ChunkAlignment, ChunkMetrics, SpeechPart, SpeechSettings, SpeechVoice } from "../speech.ts";
import type { SpeechChunk } from "../text/index.ts";
import { type ChunkTrace, traceChunk } from "./chunk-trace.ts";
import { createMixer, type Mixer } from "./mixer.ts";
import { writtenSegments } from "./written-segments.ts";

/** Finds the pool and the engine's parameters of a voice. */
export interface VoiceResolver {
  poolOf(voice: SpeechVoice): Pool;
  engineVoiceOf(voice: SpeechVoice): EngineVoice;
  /** The voice that speaks a chunk. */
  voiceOfChunk(settings: SpeechSettings, chunk: SpeechChunk): SpeechVoice;
  /** Called when a chunk has ended. */
  onChunk?(metrics: ChunkMetrics): void;
}

/** The path from chunks to the bytes of a file: synthesize, resample, join, adjust loudness, encode. */
export async function* speak(
  settings: SpeechSettings,
  source: ChunkSource,
  resolver: VoiceResolver,
  signal: AbortSignal,
): AsyncGenerator<SpeechPart> {
  const first = voiceOf(settings, 0);
  const mixer = createMixer(settings, await resolver.poolOf(first).ready, first.engine);
  const ending = createStepSpan(settings.trace ?? noSpan, "encode", { format: settings.output.format, end: true });
  let index = 0;
  try {
    for await (const chunk of source(mixer.ahead)) {
      if (chunk === "idle") yield* drain(mixer, index);
      else if (chunk === "silence") yield* addSilence(mixer, index);
      else {
        const trace = traceChunk(settings, chunk, index);
        try {
          yield* speakChunk(chunk, index++, settings, resolver, mixer, trace, signal);
        } finally {
          trace.end();
        }
      }
    }
    const last = Math.max(0, index - 1);
    yield { bytes: await ending.run(() => mixer.write(mixer.joiner.finish())), chunk: last };
    yield { bytes: await ending.run(() => mixer.finish()), chunk: last };
  } finally {
    ending.end();
    mixer.close();
  }
}

async function* speakChunk(
  chunk: SpeechChunk,
  index: number,
  settings: SpeechSettings,
  resolver: VoiceResolver,
  mixer: Mixer,
  { encoding, aligning, synthesized }: ChunkTrace,
  signal: AbortSignal,
): AsyncGenerator<SpeechPart> {
  const { joiner } = mixer;
  const silence = joiner.startChunk();
  if (silence.length > 0) {
    yield { bytes: await encoding.run(() => mixer.write(silence)), chunk: Math.max(0, index - 1) };
  }
  const voice = resolver.voiceOfChunk(settings, chunk);
  const pool = resolver.poolOf(voice);
  // The joiner keeps the rate of the first voice when another engine speaks.
  const joinRate = await resolver.poolOf(voiceOf(settings, 0)).ready;
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
    const bytes = await encoding.run(() => mixer.write(samples));
    const aligned = announced ? undefined : aligning.runSync(alignment);
    announced ||= aligned !== undefined;
    return aligned ? { bytes, chunk: index, alignment: aligned } : { bytes, chunk: index };
  };

  if (chunk.words.length > 0) {
    const rate = await pool.ready;
    const resampler = createResampler(rate, joinRate);
    let made = 0;
    const onEnd = (report: JobReport): void => {
      const { queuedAt, work, busyMs, outcome } = report;
      synthesized(report, voice, made / rate);
      const queueMs = (work?.from ?? monotonicTime()) - queuedAt;
      if (settings.internal !== true)
        resolver.onChunk?.({ engine: voice.engine, queueMs, busyMs, audioSeconds: made / rate, outcome });
    };
    try {
      const options = {
        speed: speedOf(settings, chunk),
        temperature: settings.temperature,
        seed: seedOf(settings, index),
      };
      const place = { ahead: mixer.ahead(), first: index === 0 };
      const job = { chunk, voice: resolver.engineVoiceOf(voice), options, ...place };
      for await (const window of pool.synthesize(job, signal, onEnd)) {
        made += window.samples.length;
        timings = window.timings ? [...timings, ...window.timings] : timings;
        for (const slice of slices(window.samples)) {
          const samples = joiner.push(resampler.push(amplified(slice, chunk.volume)));
          if (samples.length > 0) yield await part(samples);
        }
      }
      const rest = joiner.push(resampler.flush());
      if (rest.length > 0) yield await part(rest);
    } finally {
      resampler.close();
    }
  }
  // The exact length is known now: send the final alignment.
  announced = false;
  ended = true;
  yield await part(joiner.endChunk(chunk.boundary, chunk.pauseAfter));
}

/** The range of all dialects. */
const SPEEDS = { min: 0.25, max: 4 };

/** The speed of the request, changed by a mark. */
function speedOf({ speed }: SpeechSettings, chunk: SpeechChunk): number {
  return chunk.speed === undefined ? speed : Math.min(SPEEDS.max, Math.max(SPEEDS.min, speed * chunk.speed));
}

/** The volume of a mark. That of the request is applied later, and the limiter after both. */
function amplified(samples: Float32Array, volumeDb: number | undefined): Float32Array {
  if (volumeDb === undefined) return samples;
  const gain = 10 ** (volumeDb / 20);
  return samples.map((sample) => sample * gain);
}

const SILENCE_SECONDS = 0.2;

async function* addSilence(mixer: Mixer, index: number): AsyncGenerator<SpeechPart> {
  yield { bytes: await mixer.write(mixer.joiner.addSilence(SILENCE_SECONDS)), chunk: Math.max(0, index - 1) };
}

const DRAIN_SECONDS = 0.02;
const MAX_DRAINS = 20;

/** Codecs hold the newest samples back until more arrive. Silence, taken from the next pause, pushes them out. */
async function* drain(mixer: Mixer, index: number): AsyncGenerator<SpeechPart> {
  for (let count = 0; count < MAX_DRAINS && !mixer.drained; count++) {
    yield { bytes: await mixer.write(mixer.joiner.addSilence(DRAIN_SECONDS)), chunk: Math.max(0, index - 1) };
  }
}

/** The voice of a speaker of the text. */
export function voiceOf(settings: SpeechSettings, speaker: number): SpeechVoice {
  const voice = settings.voices[speaker] ?? settings.voices.at(-1);
  if (!voice) throw new Error("a request for speech needs at least one voice");
  return voice;
}

/** About half a second: an engine may return a whole sentence at once, but the event loop serves other streams, too. */
const SLICE_SAMPLES = 12_000;

function* slices(samples: Float32Array): Generator<Float32Array> {
  for (let start = 0; start < samples.length; start += SLICE_SAMPLES) {
    yield samples.subarray(start, start + SLICE_SAMPLES);
  }
}

/** Each chunk has its own noise, derived from the seed of the request. */
function seedOf(settings: SpeechSettings, index: number): number {
  return (settings.seed + Math.imul(index, 0x9e3779b1)) | 0;
}
