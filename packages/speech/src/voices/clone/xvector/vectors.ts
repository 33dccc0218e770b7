/** The cosine of two vectors: 1 for the same direction. */
export function cosine(a: Float32Array, b: Float32Array): number {
  const [left, right] = [unit(a), unit(b)];
  return left.reduce((sum, value, i) => sum + value * (right[i] ?? 0), 0);
}

/** Of length 1, in the same direction. */
export function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** The sum of vectors, each times its weight; empty for none. */
export function sumOf(vectors: readonly { readonly values: Float32Array; readonly weight: number }[]): Float32Array {
  const sum = new Float32Array(vectors[0]?.values.length ?? 0);
  for (const { values, weight } of vectors)
    values.forEach((value, i) => {
      sum[i] = (sum[i] ?? 0) + weight * value;
    });
  return sum;
}
