/** The index of the largest score. */
export function argmax(scores: Float32Array): number {
  let best = 0;
  for (let index = 1; index < scores.length; index++) {
    if ((scores[index] ?? 0) > (scores[best] ?? 0)) best = index;
  }
  return best;
}

/** The log probability of an entry. */
export function logProbability(scores: Float32Array, index: number): number {
  return (scores[index] ?? Number.NEGATIVE_INFINITY) - logSum(scores);
}

/** A random entry by its probability; a higher temperature makes the entries more even. `random` returns 0 to 1. */
export function sample(scores: Float32Array, temperature: number, random: () => number): number {
  const scaled = scores.map((score) => score / temperature);
  const total = logSum(scaled);
  let rest = random();
  for (let index = 0; index < scaled.length; index++) {
    rest -= Math.exp((scaled[index] ?? 0) - total);
    if (rest <= 0) return index;
  }
  return argmax(scores);
}

function logSum(scores: Float32Array): number {
  const max = scores[argmax(scores)] ?? 0;
  let sum = 0;
  for (const score of scores) sum += Math.exp(score - max);
  return max + Math.log(sum);
}
