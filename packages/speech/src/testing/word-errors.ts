import { editDistance } from "../g2p/edit-distance.ts";

/** Word errors: substitutions, deletions and insertions, and the number of words. */
export function wordErrors(expected: string, heard: string): { readonly errors: number; readonly words: number } {
  const want = plainWords(expected);
  const got = plainWords(heard);
  return { errors: editDistance(want, got, (left, right) => left === right), words: want.length };
}

function plainWords(text: string): string[] {
  return text
    .toLowerCase()
    .replace(/[’']/g, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}
