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
