/**
 * A compact histogram of durations: buckets grow by 2^(1/8), so a quantile is off by at most 2^(1/16), which is 4.4 %.
 * Histograms are added bucket by bucket.
 */
export type Histogram = ReadonlyMap<number, number>;

const STEPS_PER_DOUBLING = 8;
/** From one millisecond to about seventeen minutes. Values outside count in the nearest bucket. */
const HIGHEST = 20 * STEPS_PER_DOUBLING;

export function stepOf(milliseconds: number): number {
  const step = Math.round(Math.log2(Math.max(1, milliseconds)) * STEPS_PER_DOUBLING);
  return Math.min(HIGHEST, step);
}

export function addTo(target: Map<number, number>, more: Histogram): void {
  for (const [step, count] of more) target.set(step, (target.get(step) ?? 0) + count);
}

/** The duration in milliseconds that this share of the values does not exceed. */
export function quantileOf(histogram: Histogram, share: number): number | null {
  let total = 0;
  for (const count of histogram.values()) total += count;
  if (total === 0) return null;
  const rank = Math.max(1, Math.ceil(share * total));
  let seen = 0;
  for (const [step, count] of [...histogram].sort(([a], [b]) => a - b)) {
    seen += count;
    if (seen >= rank) return Math.round(2 ** (step / STEPS_PER_DOUBLING) * 100) / 100;
  }
  return null;
}

/** `bucket:count` in base 36, in order: "1j:4 1k". A count of one is left out. */
export function packHistogram(histogram: Histogram): string {
  return [...histogram]
    .filter(([, count]) => count > 0)
    .sort(([a], [b]) => a - b)
    .map(([step, count]) => step.toString(36) + (count === 1 ? "" : `:${count.toString(36)}`))
    .join(" ");
}

export function unpackHistogram(packed: string): Map<number, number> {
  const histogram = new Map<number, number>();
  if (packed === "") return histogram;
  for (const entry of packed.split(" ")) {
    const [step = "", count = "1"] = entry.split(":");
    histogram.set(Number.parseInt(step, 36), Number.parseInt(count, 36));
  }
  return histogram;
}
