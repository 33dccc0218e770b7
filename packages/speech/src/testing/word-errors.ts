import { editDistance } from "../g2p/edit-distance.ts";

/** Word error rate: how many words were misheard, missed or added, as a share of those that were to be said. */
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
