/** Fourier transform of a length whose factors are small, such as 400. */
export interface Fourier {
  /** In place. */
  transform(real: Float64Array, imaginary: Float64Array): void;
}

export function createFourier(length: number): Fourier {
  const cosine = Float64Array.from({ length }, (_, i) => Math.cos((2 * Math.PI * i) / length));
  const sine = Float64Array.from({ length }, (_, i) => -Math.sin((2 * Math.PI * i) / length));
  const factors = factorsOf(length);
  const inReal = new Float64Array(length);
  const inImaginary = new Float64Array(length);
  const partReal = new Float64Array(Math.max(1, ...factors));
  const partImaginary = new Float64Array(Math.max(1, ...factors));

  /** Writes the transform of every `stride`th input from index `from` to `size` outputs from index `to`. */
  function part(
    outReal: Float64Array,
    outImaginary: Float64Array,
    from: number,
    to: number,
    stride: number,
    depth: number,
  ) {
    const size = length / stride;
    const factor = factors[depth];
    if (factor === undefined) {
      outReal[to] = inReal[from] ?? 0;
      outImaginary[to] = inImaginary[from] ?? 0;
      return;
    }
    const smaller = size / factor;
    for (let i = 0; i < factor; i++)
      part(outReal, outImaginary, from + i * stride, to + i * smaller, stride * factor, depth + 1);
    for (let k = 0; k < smaller; k++) {
      for (let i = 0; i < factor; i++) {
        const at = to + i * smaller + k;
        const angle = i * k * stride;
        const c = cosine[angle] ?? 0;
        const s = sine[angle] ?? 0;
        const r = outReal[at] ?? 0;
        const m = outImaginary[at] ?? 0;
        partReal[i] = r * c - m * s;
        partImaginary[i] = r * s + m * c;
      }
      for (let j = 0; j < factor; j++) {
        let r = 0;
        let m = 0;
        for (let i = 0; i < factor; i++) {
          const angle = ((i * j) % factor) * (length / factor);
          const c = cosine[angle] ?? 0;
          const s = sine[angle] ?? 0;
          r += (partReal[i] ?? 0) * c - (partImaginary[i] ?? 0) * s;
          m += (partReal[i] ?? 0) * s + (partImaginary[i] ?? 0) * c;
        }
        outReal[to + j * smaller + k] = r;
        outImaginary[to + j * smaller + k] = m;
      }
    }
  }

  return {
    transform(real, imaginary) {
      inReal.set(real);
      inImaginary.set(imaginary);
      part(real, imaginary, 0, 0, 1, 0);
    },
  };
}

function factorsOf(length: number): number[] {
  const factors: number[] = [];
  let rest = length;
  for (let factor = 4; factor >= 2; factor -= 2) {
    for (; rest % factor === 0; rest /= factor) factors.push(factor);
  }
  for (let factor = 3; rest > 1; factor += 2) {
    for (; rest % factor === 0; rest /= factor) factors.push(factor);
  }
  return factors;
}
