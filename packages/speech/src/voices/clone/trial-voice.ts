import { createResampler } from "../../audio/index.ts";
import type { Engine } from "../../engines/engine.ts";
import { planChunks, type SpeechChunk } from "../../text/index.ts";
import { joined } from "./joined.ts";
import { countLetters } from "./pace.ts";
import { medianPitch } from "./pitch.ts";
import type { XVector } from "./xvector/xvector.ts";

/** What a voice sounds like when it says something. */
export interface Trial {
  readonly vector: Float32Array;
  /** In Hz, where it can be told. */
  readonly pitch: number | undefined;
  readonly seconds: number;
  /** Without the pauses between words. */
  readonly speechSeconds: number;
  readonly letters: number;
}

export interface TrialVoices {
  /** Says a sentence with a speaker vector, and listens to who that is. The same arguments give the same answer. */
  hear(speaker: Float32Array | string, sentence: string, seed?: number): Promise<Trial>;
}

/** Sentences with many different sounds. Each takes about four seconds. */
export const TRIAL_SENTENCES = [
  "The quick boy chose a thick yellow scarf, then joined the others by the measured fire.",
  "We heard a voice along the shore, but nothing moved except the gulls and the tide.",
  "Please gather every paper from the table, and bring five of them to the judge.",
] as const;

const never = new AbortController().signal;

/** Tries voices out in this very process: an engine that speaks and a network that tells speakers apart. */
export function createTrialVoices(engine: Engine, xvector: XVector): TrialVoices {
  return {
    async hear(speaker, sentence, seed = 1) {
      const resampler = createResampler(engine.sampleRate, xvector.sampleRate);
      const pieces: Float32Array[] = [];
      let speechSeconds = 0;
      const voice = { language: "en-us", embedding: speaker };
      const options = { speed: 1, temperature: 0.7, seed };
      for (const chunk of chunksOf(sentence)) {
        for await (const { samples, timings = [] } of engine.synthesize(chunk, voice, options, never)) {
          pieces.push(resampler.push(samples));
          for (const { start, end } of timings) speechSeconds += end - start;
        }
      }
      pieces.push(resampler.flush());
      const samples = joined(pieces);
      return {
        vector: await xvector.embed(samples),
        pitch: medianPitch(samples, xvector.sampleRate),
        seconds: samples.length / xvector.sampleRate,
        speechSeconds,
        letters: countLetters(sentence),
      };
    },
  };
}

function chunksOf(sentence: string): Iterable<SpeechChunk> {
  return planChunks(sentence, {
    latency: "normal",
    chunkLength: 300,
    minChunkLength: 100,
    normalize: true,
    languageOf: () => "en-us",
  });
}
