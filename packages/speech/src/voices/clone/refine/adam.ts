/** Numbers that are optimized, at a rate of their own. */
export interface Optimized {
  readonly values: Float32Array;
  readonly rate: number;
}

/** One step against a gradient. `factor` multiplies the rate. */
export type AdamStep = (gradient: Float32Array, factor: number) => void;

const MEAN_DECAY = 0.8;
const SQUARES_DECAY = 0.95;
const LEAST_DEVIATION = 1e-8;

/** The optimizer Adam. It changes `values` in place. */
export function createAdam({ values, rate }: Optimized): AdamStep {
  const means = new Float64Array(values.length);
  const squares = new Float64Array(values.length);
  let steps = 0;
  return (gradient, factor) => {
    steps++;
    const meanScale = 1 / (1 - MEAN_DECAY ** steps);
    const squaresScale = 1 / (1 - SQUARES_DECAY ** steps);
    for (const [i, slope] of gradient.entries()) {
      const mean = MEAN_DECAY * (means[i] ?? 0) + (1 - MEAN_DECAY) * slope;
      const square = SQUARES_DECAY * (squares[i] ?? 0) + (1 - SQUARES_DECAY) * slope * slope;
      means[i] = mean;
      squares[i] = square;
      const step = (mean * meanScale) / (Math.sqrt(square * squaresScale) + LEAST_DEVIATION);
      values[i] = (values[i] ?? 0) - rate * factor * step;
    }
  };
}
