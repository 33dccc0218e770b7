/** The K-weighting filter of ITU-R BS.1770 (a high shelf, then a high-pass) for any sample rate. */
export function createKWeighting(sampleRate: number): (sample: number) => number {
  const shelf = highShelf(sampleRate);
  const cut = lowCut(sampleRate);
  // One function with plain variables: it runs for every sample.
  let shelf1 = 0;
  let shelf2 = 0;
  let cut1 = 0;
  let cut2 = 0;
  return (sample) => {
    const shelved = shelf.b0 * sample + shelf1;
    shelf1 = shelf.b1 * sample - shelf.a1 * shelved + shelf2;
    shelf2 = shelf.b2 * sample - shelf.a2 * shelved;
    const out = cut.b0 * shelved + cut1;
    cut1 = cut.b1 * shelved - cut.a1 * out + cut2;
    cut2 = cut.b2 * shelved - cut.a2 * out;
    return out;
  };
}

/** The loudness (LUFS) of a mean square of weighted samples of one channel. */
export const lufsOf = (meanSquare: number): number => -0.691 + 10 * Math.log10(meanSquare);

interface Coefficients {
  readonly b0: number;
  readonly b1: number;
  readonly b2: number;
  readonly a1: number;
  readonly a2: number;
}

/* The standard has coefficients for 48 kHz only; these are the analogue filters from which they are derived. */

function highShelf(sampleRate: number): Coefficients {
  const k = Math.tan((Math.PI * 1681.974450955533) / sampleRate);
  const q = 0.7071752369554196;
  const high = 10 ** (3.999843853973347 / 20);
  const band = high ** 0.4996667741545416;
  const a0 = 1 + k / q + k * k;
  return {
    b0: (high + (band * k) / q + k * k) / a0,
    b1: (2 * (k * k - high)) / a0,
    b2: (high - (band * k) / q + k * k) / a0,
    a1: (2 * (k * k - 1)) / a0,
    a2: (1 - k / q + k * k) / a0,
  };
}

function lowCut(sampleRate: number): Coefficients {
  const k = Math.tan((Math.PI * 38.13547087602444) / sampleRate);
  const q = 0.5003270373238773;
  const a0 = 1 + k / q + k * k;
  return { b0: 1, b1: -2, b2: 1, a1: (2 * (k * k - 1)) / a0, a2: (1 - k / q + k * k) / a0 };
}
