import { AV_CHANNEL_LAYOUT_MONO, AV_SAMPLE_FMT_FLT } from "node-av/constants";
import { FFmpegError, SoftwareResampleContext } from "node-av/lib";
import { type Allocate, allocateNew } from "../lib/scratch.ts";

export const SAMPLE_RATES = [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000] as const;

const MIN_INPUT_RATE = 8000;
const MAX_INPUT_RATE = 192_000;

export interface Resampler {
  /** Returns the samples that are ready. The last 52 (at the lower rate) wait for the next call. */
  push(samples: Float32Array): Float32Array;
  /** Ends the stream: returns the rest. All output together has round(input × outputRate / inputRate) samples. */
  flush(): Float32Array;
  /** Frees the filter. `flush` does it, too; for streams that end early. */
  close(): void;
}

const EMPTY = new Float32Array(0);

/*
 * FFmpeg's polyphase Kaiser-windowed sinc: seven times as fast as the same filter in JavaScript, and as exact.
 * These parameters give −0.1 dB at 0.9 of the lower rate's Nyquist, and less than −90 dB from Nyquist on.
 */
const FILTER_LENGTH = 98;
const KAISER_BETA = 9.2;
const CUTOFF = 0.94;
/** More phases than any pair of the rates needs (1280), so that each output sample has its exact position. */
const PHASE_BITS = 11;

/**
 * Changes the sample rate. Output sample n is at the time n / outputRate of the input, without a delay, and the result does not
 * depend on how the input was divided into pushes.
 */
export function createResampler(inputRate: number, outputRate: number, allocate: Allocate = allocateNew): Resampler {
  assertInputRate(inputRate);
  assertRate(outputRate);
  if (inputRate === outputRate) return { push: (samples) => samples, flush: () => EMPTY, close: () => {} };

  const ratio = outputRate / inputRate;
  let context: SoftwareResampleContext | undefined = openContext(inputRate, outputRate);
  let received = 0;
  let produced = 0;

  function convert(samples: Float32Array | null): Float32Array {
    if (context === undefined) throw new Error("the resampler is closed");
    const count = samples?.length ?? 0;
    const output = allocate(context.getOutSamples(count));
    const written = context.convertSync([bytesOf(output)], output.length, samples && [bytesOf(samples)], count);
    FFmpegError.throwIfError(written, "resample");
    produced += written;
    return output.subarray(0, written);
  }

  function close(): void {
    context?.free();
    context = undefined;
  }

  return {
    push(samples) {
      if (samples.length === 0) return EMPTY;
      received += samples.length;
      return convert(samples);
    },
    flush() {
      if (context === undefined) return EMPTY;
      const missing = Math.round(received * ratio) - produced;
      const rest = received === 0 ? EMPTY : convert(null);
      close();
      if (rest.length >= missing) return rest.subarray(0, missing);
      const padded = new Float32Array(missing);
      padded.set(rest);
      return padded;
    },
    close,
  };
}

function openContext(inputRate: number, outputRate: number): SoftwareResampleContext {
  const context = new SoftwareResampleContext();
  const options = {
    filter_type: "kaiser",
    filter_size: FILTER_LENGTH,
    kaiser_beta: KAISER_BETA,
    // FFmpeg expects it relative to the Nyquist frequency of the output.
    cutoff: CUTOFF * Math.min(1, inputRate / outputRate),
    phase_shift: PHASE_BITS,
    exact_rational: 1,
    linear_interp: 0,
  };
  try {
    const mono = AV_CHANNEL_LAYOUT_MONO;
    const float = AV_SAMPLE_FMT_FLT;
    FFmpegError.throwIfError(
      context.allocSetOpts2(mono, float, outputRate, mono, float, inputRate),
      "set up resampler",
    );
    for (const [name, value] of Object.entries(options)) {
      FFmpegError.throwIfError(context.setOption(name, value), `set resampler option ${name}`);
    }
    FFmpegError.throwIfError(context.init(), "open resampler");
    return context;
  } catch (error) {
    context.free();
    throw error;
  }
}

function bytesOf(samples: Float32Array): Buffer {
  return Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
}

/** Sound of clients may have any rate. Where it needs more phases than there are, positions are rounded to the nearest. */
function assertInputRate(rate: number): void {
  if (!Number.isInteger(rate) || rate < MIN_INPUT_RATE || rate > MAX_INPUT_RATE) {
    throw new RangeError(`sample rate ${rate} is not between ${MIN_INPUT_RATE} and ${MAX_INPUT_RATE}`);
  }
}

function assertRate(rate: number): void {
  if (!(SAMPLE_RATES as readonly number[]).includes(rate)) {
    throw new RangeError(`sample rate ${rate} is not one of ${SAMPLE_RATES.join(", ")}`);
  }
}
