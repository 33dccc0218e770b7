import { createResampler } from "../../audio/index.ts";
import type { Engine } from "../../engines/engine.ts";
import { cloningEngine } from "../../engines/registry.ts";
import { concatSamples } from "../../lib/concat.ts";
import { planChunks, type SpeechChunk } from "../../text/index.ts";
import { countLetters } from "./pace.ts";
import { medianPitch } from "./pitch.ts";
import type { SpeakerFeatures } from "./speaker-features.ts";
import type { XVector } from "./xvector/xvector.ts";

/** The measured features of a voice that has spoken a sentence. */
export interface Trial extends SpeakerFeatures {
  readonly seconds: number;
  /** Without the pauses between words. */
  readonly speechSeconds: number;
  readonly letters: number;
}

export interface Trials {
  /** Speaks a sentence with an embedding and measures the result. The same arguments give the same result. */
  run(embedding: Float32Array | string, sentence: string, seed?: number): Promise<Trial>;
}

/** Sentences with many different sounds, each about four seconds long. */
export const TRIAL_SENTENCES = [
  "The quick boy chose a thick yellow scarf, then joined the others by the measured fire.",
  "We heard a voice along the shore, but nothing moved except the gulls and the tide.",
  "Please gather every paper from the table, and bring five of them to the judge.",
] as const;

const never = new AbortController().signal;

/** Tries voices in this process, with an engine and an x-vector network. */
export function createTrials(engine: Engine, xvector: XVector): Trials {
  const { language } = cloningEngine.cloning;
  return {
    async run(embedding, sentence, seed = 1) {
      const resampler = createResampler(engine.sampleRate, xvector.sampleRate);
      const pieces: Float32Array[] = [];
      let speechSeconds = 0;
      const options = { speed: 1, temperature: 0.7, seed };
      for (const chunk of chunksOf(sentence, language)) {
        for await (const window of engine.synthesize(chunk, { language, embedding }, options, never)) {
          pieces.push(resampler.push(window.samples));
          for (const { start, end } of window.timings ?? []) speechSeconds += end - start;
        }
      }
      pieces.push(resampler.flush());
      const samples = concatSamples(pieces);
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

function chunksOf(sentence: string, language: string): Iterable<SpeechChunk> {
  return planChunks(sentence, {
    latency: "normal",
    chunkLength: 300,
    minChunkLength: 100,
    normalize: true,
    languageOf: () => language,
  });
}
