import type { Tensor } from "onnxruntime-node";
import { createFft } from "../../../audio/fft.ts";
import { openTogether } from "../../../lib/open-together.ts";
import { fuseNodes } from "../../onnx/fuse.ts";
import { gradientOf } from "../../onnx/gradient/gradient.ts";
import { normalizeRows } from "../../onnx/row-patterns.ts";
import { floats, floatsOf, openSession } from "../../session.ts";
import { conditionOf } from "./condition.ts";
import { createFeatures, MARGIN } from "./features.ts";
import { withVoiceGradient } from "./gradient.ts";
import { type Shaping, shapingOf } from "./network.ts";
import { createNoiseSpectra, NOISE_FRAMES } from "./noise.ts";
import { DECODER_OFFSETS, MODULATION, MODULATION_SIZE, offsetTensors, withOffsets } from "./offsets.ts";
import { createOverlapAdd, type Filtered } from "./overlap-add.ts";
import { shapingGradient } from "./overlap-add-gradient.ts";
import { BINS, CONDITION, FEATURES, FFT_SIZE, OVERLAP, type Prosody, STYLE } from "./shape.ts";

/** What the decoder knows of a voice; also a gradient by it. */
export interface VoiceParameters {
  /** The first STYLE numbers of a style. */
  readonly timbre: Float32Array;
  /** What is added inside the network: DECODER_OFFSETS numbers. */
  readonly offsets: Float32Array;
}

/** A text in the form in which it is spoken by many voices: everything that does not depend on the voice. */
export interface Chunk {
  readonly frames: number;
  readonly features: Tensor;
  /** With the statistics of the text behind the timbre. */
  readonly condition: Float32Array;
  readonly filtered: Filtered;
  readonly noiseFrame: number;
}

export interface SpokenChunk {
  /** HOP for each frame of the text. */
  readonly samples: Float32Array;
  /** The gradient by the voice, from a gradient by the samples. */
  backward(gradient: Float32Array): Promise<VoiceParameters>;
}

export interface VoiceGradient {
  speak(chunk: Chunk, voice: VoiceParameters): Promise<SpokenChunk>;
  close(): Promise<void>;
}

const fft = createFft(FFT_SIZE);
const noiseSpectra = createNoiseSpectra(fft);

/** A voice that is a timbre alone, as that of a style. */
export function voiceOf(style: Float32Array): VoiceParameters {
  return { timbre: style.slice(0, STYLE), offsets: new Float32Array(DECODER_OFFSETS) };
}

/** Prepares a text; `noise` selects the noise, as in a stream. */
export function createChunk(prosody: Prosody, noise = 0): Chunk {
  const frames = prosody.pitch.length;
  const features = createFeatures(prosody, fft, { first: -OVERLAP, kept: frames + 2 * OVERLAP });
  features.prepare(frames + OVERLAP);
  return {
    frames,
    features: floats(features.rows(-MARGIN, frames + MARGIN), 1, frames + 2 * MARGIN, FEATURES),
    condition: conditionOf(prosody),
    filtered: { source: features.spectra, noise: noiseSpectra },
    noiseFrame: (noise >>> 0) % NOISE_FRAMES,
  };
}

/**
 * Speaks whole texts with the small decoder, and tells how the voice changes the samples. onnxruntime computes all outputs of
 * a model whenever it runs, so a second session without the gradient gives the samples.
 */
export async function loadVoiceGradient(model: Uint8Array, threads: number): Promise<VoiceGradient> {
  const { forward, backward } = await openTogether(async (onFailure) => {
    const forward = await openSession(fuseNodes(withOffsets(model), [normalizeRows]), threads);
    onFailure(() => forward.release());
    return { forward, backward: await openSession(withVoiceGradient(model), threads) };
  });
  return {
    async speak(chunk, voice) {
      const feeds = feedsOf(chunk, voice);
      const samples = synthesize(chunk, shapingOf(await forward.run(feeds)));
      return {
        samples,
        async backward(gradient) {
          if (gradient.length !== samples.length)
            throw new RangeError(`a gradient by ${samples.length} samples has as many numbers, not ${gradient.length}`);
          const shaping = shapingGradient(gradient, chunk.filtered, fft, chunk.noiseFrame);
          const found = await backward.run({ ...feeds, ...gradientFeeds(chunk, shaping) });
          const offsets = new Float32Array(DECODER_OFFSETS);
          for (const [block, name] of MODULATION.entries())
            offsets.set(floatsOf(found, gradientOf(name)), block * MODULATION_SIZE);
          return { timbre: floatsOf(found, gradientOf("condition")).slice(0, STYLE), offsets };
        },
      };
    },
    async close() {
      await Promise.all([forward.release(), backward.release()]);
    },
  };
}

function feedsOf(chunk: Chunk, { timbre, offsets }: VoiceParameters): Record<string, Tensor> {
  const condition = chunk.condition.slice();
  condition.set(timbre.subarray(0, STYLE));
  return {
    features: chunk.features,
    condition: floats(condition, 1, CONDITION),
    // A copy: the caller may change the voice before the gradient is computed.
    ...offsetTensors(offsets.slice()),
  };
}

function gradientFeeds({ frames }: Chunk, shaping: Shaping): Record<string, Tensor> {
  const rows = (values: Float32Array) => floats(values, 1, frames + 2 * OVERLAP, BINS);
  return {
    [gradientOf("gain_re")]: rows(shaping.gainRe),
    [gradientOf("gain_im")]: rows(shaping.gainIm),
    [gradientOf("noise_gain")]: rows(shaping.noiseGain),
    [gradientOf("free_re")]: rows(shaping.freeRe),
    [gradientOf("free_im")]: rows(shaping.freeIm),
  };
}

function synthesize({ frames, filtered, noiseFrame }: Chunk, shaping: Shaping): Float32Array {
  const output = createOverlapAdd(filtered, fft, { maxFrames: frames, start: 0, noiseFrame });
  output.add(-OVERLAP, frames + 2 * OVERLAP, shaping);
  return output.take(frames);
}
