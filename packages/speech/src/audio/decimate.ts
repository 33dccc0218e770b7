/** Changes the sample rate to an integer fraction, as a linear function of which the transpose is known. */
export interface Decimator {
  /** Sample n of the result is at sample n × factor. There are round(length / factor). */
  forward(samples: Float32Array): Float32Array;
  /** The gradient by `length` samples, from one by the result. */
  backward(gradient: Float32Array, length: number): Float32Array;
}

/* The filter that `createResampler` uses in FFmpeg, which offers no transpose. */
const FILTER_LENGTH = 98;
const KAISER_BETA = 9.2;
const CUTOFF = 0.94;

export function createDecimator(factor: number): Decimator {
  const taps = filterOf(factor);
  /** The tap in the middle. Those on both sides are the same, so that half the products are enough. */
  const center = (taps.length - 1) / 2;

  return {
    forward(samples) {
      const padded = new Float64Array(samples.length + 2 * center + factor);
      padded.set(samples, center);
      const result = new Float32Array(Math.round(samples.length / factor));
      for (let n = 0; n < result.length; n++) {
        const start = n * factor;
        const end = start + 2 * center;
        let sum = (taps[center] ?? 0) * (padded[start + center] ?? 0);
        for (let i = 0; i < center; i++) sum += (taps[i] ?? 0) * ((padded[start + i] ?? 0) + (padded[end - i] ?? 0));
        result[n] = sum;
      }
      return result;
    },
    backward(gradient, length) {
      const padded = new Float64Array(length + 2 * center + factor);
      for (let n = 0; n < gradient.length; n++) {
        const start = n * factor;
        const end = start + 2 * center;
        const value = gradient[n] ?? 0;
        padded[start + center] = (padded[start + center] ?? 0) + (taps[center] ?? 0) * value;
        for (let i = 0; i < center; i++) {
          const change = (taps[i] ?? 0) * value;
          padded[start + i] = (padded[start + i] ?? 0) + change;
          padded[end - i] = (padded[end - i] ?? 0) + change;
        }
      }
      return Float32Array.from(padded.subarray(center, center + length));
    },
  };
}

/** A sinc with Kaiser's window. An odd number of taps, so that the middle one is on a sample; their sum is 1. */
function filterOf(factor: number): Float64Array {
  const cutoff = CUTOFF / factor;
  const count = 2 * Math.floor(Math.ceil(FILTER_LENGTH / cutoff) / 2) + 1;
  const taps = Float64Array.from({ length: count }, (_, i) => {
    const offset = i - (count - 1) / 2;
    const x = Math.PI * offset * cutoff;
    const edge = (2 * offset) / count;
    return (x === 0 ? 1 : Math.sin(x) / x) * bessel(KAISER_BETA * Math.sqrt(1 - edge * edge));
  });
  const sum = taps.reduce((total, tap) => total + tap, 0);
  return taps.map((tap) => tap / sum);
}

/** The modified Bessel function of the first kind, of order 0. */
function bessel(x: number): number {
  let sum = 1;
  let term = 1;
  for (let k = 1; term > 1e-17 * sum; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}
