import { type Allocate, allocateNew } from "./scratch.ts";

/** Joins pieces of samples into one array. The first of them may lie in the memory that it is joined in. */
export function concatSamples(pieces: readonly Float32Array[], allocate: Allocate = allocateNew): Float32Array {
  return fill(allocate(totalLength(pieces)), pieces);
}

/** Joins pieces of bytes into one array. A single piece is returned as it is, without a copy. */
export function concatBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const [first] = pieces;
  return first !== undefined && pieces.length === 1 ? first : fill(new Uint8Array(totalLength(pieces)), pieces);
}

function totalLength(pieces: readonly { readonly length: number }[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0);
}

function fill<T extends Float32Array | Uint8Array>(target: T, pieces: readonly T[]): T {
  let offset = 0;
  for (const piece of pieces) {
    target.set(piece, offset);
    offset += piece.length;
  }
  return target;
}
