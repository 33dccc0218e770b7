export interface Sample {
  readonly minute: number;
  readonly serverMb: number;
  readonly workersMb: number;
}

/** The slope of the regression line, per minute. */
export function slope(samples: readonly Sample[], of: (sample: Sample) => number): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const middle = { x: mean(samples.map(({ minute }) => minute)), y: mean(samples.map(of)) };
  let above = 0;
  let below = 0;
  for (const sample of samples) {
    above += (sample.minute - middle.x) * (of(sample) - middle.y);
    below += (sample.minute - middle.x) ** 2;
  }
  return below > 0 ? above / below : 0;
}

/** Means of the middle and of the last third of the time. */
export function rise(samples: readonly Sample[], of: (sample: Sample) => number): { from: number; to: number } {
  const last = samples.at(-1)?.minute ?? 0;
  const mean = (from: number, to: number) => {
    const some = samples.filter(({ minute }) => minute >= last * from && minute <= last * to).map(of);
    return some.reduce((sum, value) => sum + value, 0) / Math.max(1, some.length);
  };
  return { from: mean(1 / 3, 2 / 3), to: mean(2 / 3, 1) };
}

/** The samples after the first third, in which caches fill and code is compiled. */
export function afterWarmUp(samples: readonly Sample[]): readonly Sample[] {
  const last = samples.at(-1)?.minute ?? 0;
  return samples.filter(({ minute }) => minute >= last / 3);
}
