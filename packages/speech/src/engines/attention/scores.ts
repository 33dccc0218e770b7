/** Index of the largest. */
export function largest(scores: Float32Array): number {
  let best = 0;
  for (let index = 1; index < scores.length; index++) {
    if ((scores[index] ?? 0) > (scores[best] ?? 0)) best = index;
  }
  return best;
}

/** The logarithm of an entry's probability. */
export function logProbability(scores: Float32Array, index: number): number {
  return (scores[index] ?? Number.NEGATIVE_INFINITY) - logSum(scores);
}

/** An entry by chance, as likely as its score says; hotter is more even. `random` gives numbers from 0 to 1. */
export function sample(scores: Float32Array, temperature: number, random: () => number): number {
  const scaled = scores.map((score) => score / temperature);
  const total = logSum(scaled);
  let left = random();
  for (let index = 0; index < scaled.length; index++) {
    left -= Math.exp((scaled[index] ?? 0) - total);
    if (left <= 0) return index;
  }
  return largest(scores);
}

function logSum(scores: Float32Array): number {
  const most = scores[largest(scores)] ?? 0;
  let sum = 0;
  for (const score of scores) sum += Math.exp(score - most);
  return most + Math.log(sum);
}
