/** A band of a filter bank: the bins that it takes, which are few, and their weights. */
export interface Band {
  readonly first: number;
  readonly weights: Float64Array;
}

/** From a weight for each bin. */
export function bandOf(weights: Float64Array): Band {
  const first = weights.findIndex((weight) => weight > 0);
  return { first, weights: weights.subarray(first, weights.findLastIndex((weight) => weight > 0) + 1) };
}

/** The sum of the powers of its bins, each times its weight. */
export function powerIn({ first, weights }: Band, powers: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += (weights[i] ?? 0) * (powers[first + i] ?? 0);
  return sum;
}

/** Adds to the gradient by the powers what the gradient by such a sum contributes. */
export function addToPowers({ first, weights }: Band, gradient: number, byPowers: Float64Array): void {
  for (let i = 0; i < weights.length; i++)
    byPowers[first + i] = (byPowers[first + i] ?? 0) + gradient * (weights[i] ?? 0);
}
