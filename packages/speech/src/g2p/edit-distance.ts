/** The Levenshtein distance of two lists. */
export function editDistance<T>(a: readonly T[], b: readonly T[], same: (left: T, right: T) => boolean): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, left] of a.entries()) {
    const next = [i + 1];
    for (const [j, right] of b.entries()) {
      const swap = (row[j] ?? 0) + (same(left, right) ? 0 : 1);
      next.push(Math.min(swap, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
