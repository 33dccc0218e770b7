/** Gives memory for so many samples. */
export type Allocate = (length: number) => Float32Array;

/** Memory of its own for each result. */
export const allocateNew: Allocate = (length) => new Float32Array(length);

/**
 * The same memory again and again, for results that are used before the next one is made. Arrays of samples are collected late,
 * since to the garbage collector they are small: a stream would leave megabytes of them for each second of audio.
 */
export function createScratch(): Allocate {
  let memory = new Float32Array(0);
  return (length) => {
    if (memory.length < length) memory = new Float32Array(length);
    return memory.subarray(0, length);
  };
}
