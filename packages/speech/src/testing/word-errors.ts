import { editDistance } from "../g2p/edit-distance.ts";

/** Word errors: substitutions, deletions and insertions, and the number of words. */
export function wordErrors(expected: string, actual: string): { readonly errors: number; readonly words: number } {
  const expectedWords = plainWords(expected);
  const actualWords = plainWords(actual);
  return {
    errors: editDistance(expectedWords, actualWords, (left, right) => left === right),
    words: expectedWords.length,
  };
}

function plainWords(text: string): string[] {
  return text
    .toLowerCase()
    .replace(/[’']/g, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}
