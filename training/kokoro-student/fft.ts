/** A Fourier transform in place, for lengths that are powers of two. */
export function createFft(size: number): (re: Float64Array, im: Float64Array) => void {
  const bits = Math.log2(size);
  const order = Uint32Array.from({ length: size }, (_, i) => {
    let reversed = 0;
    for (let bit = 0; bit < bits; bit++) if (i & (1 << bit)) reversed |= 1 << (bits - 1 - bit);
    return reversed;
  });
  const cosine = Float64Array.from({ length: size / 2 }, (_, k) => Math.cos((2 * Math.PI * k) / size));
  const sine = Float64Array.from({ length: size / 2 }, (_, k) => -Math.sin((2 * Math.PI * k) / size));
  return (re, im) => {
    for (let i = 0; i < size; i++) {
      const j = order[i] ?? 0;
      if (j <= i) continue;
      [re[i], re[j]] = [re[j] ?? 0, re[i] ?? 0];
      [im[i], im[j]] = [im[j] ?? 0, im[i] ?? 0];
    }
    for (let span = 1; span < size; span *= 2) {
      const stride = size / (2 * span);
      for (let start = 0; start < size; start += 2 * span) {
        for (let k = 0; k < span; k++) {
          const [c, s] = [cosine[k * stride] ?? 0, sine[k * stride] ?? 0];
          const [a, b] = [start + k, start + k + span];
          const [x, y] = [re[b] ?? 0, im[b] ?? 0];
          const [real, imaginary] = [x * c - y * s, x * s + y * c];
          re[b] = (re[a] ?? 0) - real;
          im[b] = (im[a] ?? 0) - imaginary;
          re[a] = (re[a] ?? 0) + real;
          im[a] = (im[a] ?? 0) + imaginary;
        }
      }
    }
  };
}
