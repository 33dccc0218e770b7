/** Word error rate: how many words were misheard, missed or added, as a share of those that were to be said. */
export function wordErrors(expected: string, heard: string): { readonly errors: number; readonly words: number } {
  const want = plainWords(expected);
  const got = plainWords(heard);
  let row = Array.from({ length: got.length + 1 }, (_, index) => index);
  for (const [i, left] of want.entries()) {
    const next = [i + 1];
    for (const [j, right] of got.entries()) {
      const swap = (row[j] ?? 0) + (left === right ? 0 : 1);
      next.push(Math.min(swap, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return { errors: row[got.length] ?? 0, words: want.length };
}

function plainWords(text: string): string[] {
  return text
    .toLowerCase()
    .replace(/[’']/g, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}
