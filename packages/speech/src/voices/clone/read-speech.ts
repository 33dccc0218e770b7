import { openSamples } from "../../audio/decode/index.ts";
import { createResampler } from "../../audio/index.ts";
import { concatSamples } from "../../lib/concat.ts";
import { ANALYSIS_RATE } from "./extract-speech.ts";

/** A decoded recording: mono, 16 bits, 16 kHz. */
export interface DecodedSpeech {
  readonly path: string;
  /** All of its samples, where the file lies on another machine. */
  readonly samples?: Int16Array | undefined;
}

export async function readSpeech({ path, samples }: DecodedSpeech): Promise<Float32Array> {
  if (samples) return Float32Array.from(samples, (sample) => sample / 32768);
  const file = await openSamples(path);
  try {
    return await file.read(0, file.samples);
  } finally {
    await file.close();
  }
}

/** Decoded speech at another sample rate. */
export function resampledSpeech(samples: Float32Array, rate: number): Float32Array {
  const resampler = createResampler(ANALYSIS_RATE, rate);
  return concatSamples([resampler.push(samples), resampler.flush()]);
}
