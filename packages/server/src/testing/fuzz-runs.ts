/** How often a property is tried with random input. PARLANCE_TEST_FUZZ=10 tries ten times as often. */
export function fuzzRuns(count: number): number {
  return Math.ceil(count * Number(process.env.PARLANCE_TEST_FUZZ ?? 1));
}
