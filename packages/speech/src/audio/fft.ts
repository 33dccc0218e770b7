/** An in-place Fourier transform of one length, a power of two. Swapped arguments give the inverse (times the length). */
export type Fft = (re: Float64Array, im: Float64Array) => void;

export function createFft(size: number): Fft {
  const order = bitReversed(size);
  const cosine = Float64Array.from({ length: size / 2 }, (_, k) => Math.cos((2 * Math.PI * k) / size));
  const sine = Float64Array.from({ length: size / 2 }, (_, k) => -Math.sin((2 * Math.PI * k) / size));

  return (re, im) => {
    for (let i = 0; i < size; i++) {
      const j = order[i] ?? 0;
      if (j <= i) continue;
      const real = re[i] ?? 0;
      const imaginary = im[i] ?? 0;
      re[i] = re[j] ?? 0;
      im[i] = im[j] ?? 0;
      re[j] = real;
      im[j] = imaginary;
    }
    for (let span = 1; span < size; span *= 2) {
      const stride = size / (2 * span);
      for (let k = 0; k < span; k++) {
        const c = cosine[k * stride] ?? 0;
        const s = sine[k * stride] ?? 0;
        for (let a = k; a < size; a += 2 * span) {
          const b = a + span;
          const x = re[b] ?? 0;
          const y = im[b] ?? 0;
          const real = x * c - y * s;
          const imaginary = x * s + y * c;
          const u = re[a] ?? 0;
          const v = im[a] ?? 0;
          re[b] = u - real;
          im[b] = v - imaginary;
          re[a] = u + real;
          im[a] = v + imaginary;
        }
      }
    }
  };
}

function bitReversed(size: number): Uint32Array {
  const bits = Math.log2(size);
  return Uint32Array.from({ length: size }, (_, i) => {
    let reversed = 0;
    for (let bit = 0; bit < bits; bit++) if (i & (1 << bit)) reversed |= 1 << (bits - 1 - bit);
    return reversed;
  });
}
