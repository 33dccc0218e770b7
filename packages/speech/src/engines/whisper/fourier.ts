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
    if (smaller === 1) {
      for (let i = 0; i < factor; i++) {
        partReal[i] = inReal[from + i * stride] ?? 0;
        partImaginary[i] = inImaginary[from + i * stride] ?? 0;
      }
      join(outReal, outImaginary, to, 1, factor);
      return;
    }
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
      join(outReal, outImaginary, to + k, smaller, factor);
    }
  }

  /** The transform of the parts, written to every `step`th output. */
  function join(outReal: Float64Array, outImaginary: Float64Array, to: number, step: number, factor: number) {
    if (factor === 4) joinFour(outReal, outImaginary, to, step);
    else joinAny(outReal, outImaginary, to, step, factor);
  }

  /** Four need no multiplication: the angles are right ones. */
  function joinFour(outReal: Float64Array, outImaginary: Float64Array, to: number, step: number) {
    const [r0, r1, r2, r3] = [partReal[0] ?? 0, partReal[1] ?? 0, partReal[2] ?? 0, partReal[3] ?? 0];
    const [m0, m1] = [partImaginary[0] ?? 0, partImaginary[1] ?? 0];
    const [m2, m3] = [partImaginary[2] ?? 0, partImaginary[3] ?? 0];
    outReal[to] = r0 + r2 + (r1 + r3);
    outImaginary[to] = m0 + m2 + (m1 + m3);
    outReal[to + step] = r0 - r2 + (m1 - m3);
    outImaginary[to + step] = m0 - m2 - (r1 - r3);
    outReal[to + 2 * step] = r0 + r2 - (r1 + r3);
    outImaginary[to + 2 * step] = m0 + m2 - (m1 + m3);
    outReal[to + 3 * step] = r0 - r2 - (m1 - m3);
    outImaginary[to + 3 * step] = m0 - m2 + (r1 - r3);
  }

  /** The angles of `j` and of `factor - j` have the same cosine and opposite sines, so sums and differences serve both. */
  function joinAny(outReal: Float64Array, outImaginary: Float64Array, to: number, step: number, factor: number) {
    const firstReal = partReal[0] ?? 0;
    const firstImaginary = partImaginary[0] ?? 0;
    let [sumReal, sumImaginary] = [firstReal, firstImaginary];
    for (let i = 1; i < factor; i++) {
      sumReal += partReal[i] ?? 0;
      sumImaginary += partImaginary[i] ?? 0;
    }
    outReal[to] = sumReal;
    outImaginary[to] = sumImaginary;
    for (let j = 1; 2 * j <= factor; j++) {
      let [evenReal, evenImaginary, oddReal, oddImaginary] = [firstReal, firstImaginary, 0, 0];
      for (let i = 1; i < factor; i++) {
        const angle = ((i * j) % factor) * (length / factor);
        const c = cosine[angle] ?? 0;
        const s = sine[angle] ?? 0;
        const r = partReal[i] ?? 0;
        const m = partImaginary[i] ?? 0;
        evenReal += r * c;
        evenImaginary += m * c;
        oddReal += m * s;
        oddImaginary += r * s;
      }
      outReal[to + j * step] = evenReal - oddReal;
      outImaginary[to + j * step] = evenImaginary + oddImaginary;
      outReal[to + (factor - j) * step] = evenReal + oddReal;
      outImaginary[to + (factor - j) * step] = evenImaginary - oddImaginary;
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
