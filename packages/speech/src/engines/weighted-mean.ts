/** The mean of lists of the same length. A shorter list ends the result. */
export function weightedMean(
  parts: readonly { readonly numbers: Float32Array; readonly weight: number }[],
): Float32Array {
  const total = parts.reduce((sum, { weight }) => sum + weight, 0);
  const mean = new Float32Array(Math.min(...parts.map(({ numbers }) => numbers.length)));
  for (const { numbers, weight } of parts) {
    const share = weight / total;
    for (let index = 0; index < mean.length; index++) mean[index] = (mean[index] ?? 0) + share * (numbers[index] ?? 0);
  }
  return mean;
}
