/** An in-place Fourier transform of one length, a power of two. Swapped arguments give the inverse (times the length). */
export type Fft = (re: Float64Array, im: Float64Array) => void;

/** Stockham's algorithm: four parts at a time, and each pass writes in an order that leaves the result sorted. */
export function createFft(size: number): Fft {
  const cosine = Float64Array.from({ length: size }, (_, k) => Math.cos((2 * Math.PI * k) / size));
  const sine = Float64Array.from({ length: size }, (_, k) => -Math.sin((2 * Math.PI * k) / size));
  const otherRe = new Float64Array(size);
  const otherIm = new Float64Array(size);

  return (re, im) => {
    let isInPlace = true;
    let stride = 1;
    for (; 4 * stride <= size; stride *= 4) {
      if (isInPlace) quarters(re, im, otherRe, otherIm, cosine, sine, size, stride);
      else quarters(otherRe, otherIm, re, im, cosine, sine, size, stride);
      isInPlace = !isInPlace;
    }
    if (2 * stride === size) {
      if (isInPlace) halves(re, im, otherRe, otherIm, stride);
      else halves(otherRe, otherIm, re, im, stride);
      isInPlace = !isInPlace;
    }
    if (isInPlace) return;
    re.set(otherRe);
    im.set(otherIm);
  };
}

/** Joins four transforms of a quarter of the length, for each of `stride` interleaved signals. */
function quarters(
  fromRe: Float64Array,
  fromIm: Float64Array,
  toRe: Float64Array,
  toIm: Float64Array,
  cosine: Float64Array,
  sine: Float64Array,
  size: number,
  stride: number,
): void {
  const quarter = size >> 2;
  for (let first = 0; first < quarter; first += stride) {
    const c1 = cosine[first] ?? 0;
    const s1 = sine[first] ?? 0;
    const c2 = cosine[2 * first] ?? 0;
    const s2 = sine[2 * first] ?? 0;
    const c3 = cosine[3 * first] ?? 0;
    const s3 = sine[3 * first] ?? 0;
    const end = first + stride;
    let to = 4 * first;
    for (let from = first; from < end; from++, to++) {
      const aRe = fromRe[from] ?? 0;
      const aIm = fromIm[from] ?? 0;
      const bRe = fromRe[from + quarter] ?? 0;
      const bIm = fromIm[from + quarter] ?? 0;
      const cRe = fromRe[from + 2 * quarter] ?? 0;
      const cIm = fromIm[from + 2 * quarter] ?? 0;
      const dRe = fromRe[from + 3 * quarter] ?? 0;
      const dIm = fromIm[from + 3 * quarter] ?? 0;
      const evenRe = aRe + cRe;
      const evenIm = aIm + cIm;
      const oddRe = bRe + dRe;
      const oddIm = bIm + dIm;
      const lessRe = aRe - cRe;
      const lessIm = aIm - cIm;
      // (b − d) times j.
      const turnRe = dIm - bIm;
      const turnIm = bRe - dRe;
      toRe[to] = evenRe + oddRe;
      toIm[to] = evenIm + oddIm;
      const xRe = lessRe - turnRe;
      const xIm = lessIm - turnIm;
      toRe[to + stride] = xRe * c1 - xIm * s1;
      toIm[to + stride] = xRe * s1 + xIm * c1;
      const yRe = evenRe - oddRe;
      const yIm = evenIm - oddIm;
      toRe[to + 2 * stride] = yRe * c2 - yIm * s2;
      toIm[to + 2 * stride] = yRe * s2 + yIm * c2;
      const zRe = lessRe + turnRe;
      const zIm = lessIm + turnIm;
      toRe[to + 3 * stride] = zRe * c3 - zIm * s3;
      toIm[to + 3 * stride] = zRe * s3 + zIm * c3;
    }
  }
}

/** The last pass of a length that is no power of four. */
function halves(
  fromRe: Float64Array,
  fromIm: Float64Array,
  toRe: Float64Array,
  toIm: Float64Array,
  stride: number,
): void {
  for (let i = 0; i < stride; i++) {
    const aRe = fromRe[i] ?? 0;
    const aIm = fromIm[i] ?? 0;
    const bRe = fromRe[i + stride] ?? 0;
    const bIm = fromIm[i + stride] ?? 0;
    toRe[i] = aRe + bRe;
    toIm[i] = aIm + bIm;
    toRe[i + stride] = aRe - bRe;
    toIm[i + stride] = aIm - bIm;
  }
}
