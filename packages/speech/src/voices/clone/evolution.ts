import { createNormalSource } from "../../engines/random.ts";

export interface EvolutionOptions {
  readonly dimensions: number;
  /** How many points are tried at a time, and how often. */
  readonly population: number;
  readonly generations: number;
  /** How far the first points lie from the start. */
  readonly step: number;
  readonly seed: number;
}

/** What a point is worth; points of one generation are compared with each other only. */
export type Judge = (point: Float64Array, generation: number) => Promise<number>;

/**
 * Looks for a better point than the origin: an evolution strategy that moves to the weighted mean of each generation's better
 * half, and learns how far to step in each direction. Returns where it has come to.
 */
export async function evolve(options: EvolutionOptions, judge: Judge, signal: AbortSignal): Promise<Float64Array> {
  const { dimensions, population, generations } = options;
  const normal = createNormalSource(options.seed);
  const parents = Math.floor(population / 2);
  const raw = Array.from({ length: parents }, (_, rank) => Math.log(parents + 0.5) - Math.log(rank + 1));
  const total = raw.reduce((sum, weight) => sum + weight, 0);
  const weights = raw.map((weight) => weight / total);
  const effective = 1 / weights.reduce((sum, weight) => sum + weight * weight, 0);

  // The usual constants of CMA-ES with a diagonal covariance, which learns faster in the few trials that there are.
  const pathRate = (effective + 2) / (dimensions + effective + 5);
  const damping = 1 + 2 * Math.max(0, Math.sqrt((effective - 1) / (dimensions + 1)) - 1) + pathRate;
  const rankRate = Math.min(
    1,
    (((dimensions + 2) / 3) * 2 * (effective - 2 + 1 / effective)) / ((dimensions + 2) ** 2 + effective),
  );
  const usualLength = Math.sqrt(dimensions) * (1 - 1 / (4 * dimensions) + 1 / (21 * dimensions ** 2));

  let mean = new Float64Array(dimensions);
  let step = options.step;
  let variances = new Float64Array(dimensions).fill(1);
  let path = new Float64Array(dimensions);

  for (let generation = 0; generation < generations; generation++) {
    const tried: { readonly steps: Float64Array; readonly worth: number }[] = [];
    const drawn = Array.from({ length: population / 2 }, () =>
      Float64Array.from({ length: dimensions }, () => normal()),
    );
    // Each draw and its opposite: what is noise in one is noise in the other, and half as much is needed.
    for (const draw of [...drawn, ...drawn.map((steps) => steps.map((value) => -value))]) {
      signal.throwIfAborted();
      const steps = draw.map((value, i) => value * Math.sqrt(variances[i] ?? 1));
      const point = mean.map((value, i) => value + step * (steps[i] ?? 0));
      tried.push({ steps, worth: await judge(point, generation) });
    }
    tried.sort((a, b) => b.worth - a.worth);
    const best = tried.slice(0, parents);
    const moved = new Float64Array(dimensions);
    const spread = new Float64Array(dimensions);
    best.forEach(({ steps }, rank) => {
      for (let i = 0; i < dimensions; i++) {
        moved[i] = (moved[i] ?? 0) + (weights[rank] ?? 0) * (steps[i] ?? 0);
        spread[i] = (spread[i] ?? 0) + (weights[rank] ?? 0) * (steps[i] ?? 0) ** 2;
      }
    });
    mean = mean.map((value, i) => value + step * (moved[i] ?? 0));
    path = path.map(
      (value, i) =>
        (1 - pathRate) * value +
        (Math.sqrt(pathRate * (2 - pathRate) * effective) * (moved[i] ?? 0)) / Math.sqrt(variances[i] ?? 1),
    );
    variances = variances.map((value, i) => (1 - rankRate) * value + rankRate * (spread[i] ?? 0));
    const length = Math.sqrt(path.reduce((sum, value) => sum + value * value, 0));
    step *= Math.exp((pathRate / damping) * (length / usualLength - 1));
  }
  return mean;
}
