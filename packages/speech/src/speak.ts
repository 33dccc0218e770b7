import { createEncoder, createJoiner, createLoudness, createResampler, ENGINE_LUFS } from "./audio/index.ts";
import type { EngineVoice, WordTiming } from "./engines/engine.ts";
import type { Pool } from "./pool/pool.ts";
import type { ChunkStart, SpeechPart, SpeechRequest, Voice } from "./speech.ts";
import { planChunks, type SpeechChunk } from "./text/index.ts";
import { writtenSegments } from "./written-segments.ts";

/** Who speaks for a voice, and how the engine is told to. */
export interface Speakers {
  poolOf(voice: Voice): Pool;
  spokenBy(voice: Voice): EngineVoice;
}

/** The one path from text to the bytes of a file: plan, synthesise, resample, join, level, encode; chunk by chunk. */
export async function* speak(
  request: SpeechRequest,
  speakers: Speakers,
  signal: AbortSignal,
): AsyncGenerator<SpeechPart> {
  // Chunks are joined at the rate of the first voice's engine, where their silences are known best.
  const firstVoice = voiceOf(request, 0);
  const sampleRate = await speakers.poolOf(firstVoice).ready;
  const joiner = createJoiner({ sampleRate, speed: request.speed });
  const toOutput = createResampler(sampleRate, request.output.sampleRate);
  const level = createLoudness({
    sampleRate: request.output.sampleRate,
    volumeDb: request.volumeDb,
    normalize: request.normalizeLoudness,
    expectedLufs: ENGINE_LUFS[firstVoice.engine],
  });
  const encoder = createEncoder(request.output);
  const playback = createPlayback(sampleRate);
  let index = 0;
  const part = async (samples: Float32Array, started?: ChunkStart): Promise<SpeechPart> => {
    playback.add(samples.length);
    const bytes = await encoder.encode(level.push(toOutput.push(samples)));
    return started ? { bytes, chunk: index, started } : { bytes, chunk: index };
  };

  try {
    for (const chunk of plan(request, speakers)) {
      const silence = joiner.startChunk();
      if (silence.length > 0) yield await part(silence);
      let timings: readonly WordTiming[] = [];
      let announced = false;
      const announce = (): ChunkStart | undefined => {
        if (announced || !joiner.placement) return undefined;
        announced = true;
        return chunkStart(request, chunk, timings, joiner.placement, sampleRate);
      };

      if (chunk.words.length > 0) {
        const voice = voiceOf(request, chunk.speaker);
        const pool = speakers.poolOf(voice);
        const resampler = createResampler(await pool.ready, sampleRate);
        try {
          const job = {
            chunk,
            voice: speakers.spokenBy(voice),
            options: { speed: request.speed, temperature: request.temperature, seed: seedOf(request, index) },
            ahead: playback.ahead(),
          };
          for await (const window of pool.synthesize(job, signal)) {
            timings = window.timings ? [...timings, ...window.timings] : timings;
            for (const slice of slices(window.samples)) {
              const samples = joiner.push(resampler.push(slice));
              if (samples.length > 0) yield await part(samples, announce());
            }
          }
          const rest = joiner.push(resampler.flush());
          if (rest.length > 0) yield await part(rest, announce());
        } finally {
          resampler.close();
        }
      }
      const end = joiner.endChunk(chunk.boundary, chunk.pauseAfter);
      yield await part(end, announce());
      index++;
    }
    yield await part(joiner.finish());
    yield { bytes: await encoder.encode(level.push(toOutput.flush())), chunk: index };
    yield { bytes: await encoder.encode(level.flush()), chunk: index };
    yield { bytes: await encoder.finish(), chunk: index };
  } finally {
    toOutput.close();
    encoder.close();
  }
}

function plan(request: SpeechRequest, speakers: Speakers): Iterable<SpeechChunk> {
  return planChunks(request.text, {
    latency: request.latency,
    chunkLength: request.chunkLength,
    minChunkLength: request.minChunkLength,
    normalize: request.normalizeText,
    languageOf: (speaker) => speakers.spokenBy(voiceOf(request, speaker)).language,
  });
}

function voiceOf(request: SpeechRequest, speaker: number): Voice {
  const voice = request.voices[speaker] ?? request.voices.at(-1);
  if (!voice) throw new Error("a request for speech names at least one voice");
  return voice;
}

/** About half a second: an engine may give a whole sentence at once, but the event loop has others to serve. */
const SLICE_SAMPLES = 12_000;

function* slices(samples: Float32Array): Generator<Float32Array> {
  for (let start = 0; start < samples.length; start += SLICE_SAMPLES) {
    yield samples.subarray(start, start + SLICE_SAMPLES);
  }
}

/** Each chunk has noise of its own; all of it follows from the request's seed. */
function seedOf(request: SpeechRequest, index: number): number {
  return (request.seed + Math.imul(index, 0x9e3779b1)) | 0;
}

function chunkStart(
  request: SpeechRequest,
  chunk: SpeechChunk,
  timings: readonly WordTiming[],
  placement: { readonly start: number; readonly headTrimmed: number },
  sampleRate: number,
): ChunkStart {
  return {
    source: { from: chunk.from, to: chunk.to },
    boundary: chunk.boundary,
    segments: writtenSegments(request.text, chunk.words, timings, placement.headTrimmed / sampleRate),
    offset: placement.start / sampleRate,
  };
}

/** How far a listener who plays from the first sample on is behind what was made. */
function createPlayback(sampleRate: number) {
  let began: number | undefined;
  let samples = 0;
  return {
    add(count: number) {
      began ??= performance.now();
      samples += count;
    },
    ahead: () => (began === undefined ? 0 : Math.max(0, samples / sampleRate - (performance.now() - began) / 1000)),
  };
}
