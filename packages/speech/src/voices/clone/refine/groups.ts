import { concatSamples } from "../../../lib/concat.ts";

/** Shorter speech says too little about a speaker. */
const MIN_SECONDS = 2;
const GROUPS = 3;

/**
 * Divides recordings into two or three groups, to check with each what was learned from the others: of whole recordings where
 * those are long enough, otherwise of parts of them. Undefined where there is too little speech.
 */
export function groupsOf(
  recordings: readonly Float32Array[],
  sampleRate: number,
): readonly (readonly Float32Array[])[] | undefined {
  const isUsable = (groups: readonly (readonly Float32Array[])[]) =>
    groups.length > 1 && groups.every((group) => lengthOf(group) >= MIN_SECONDS * sampleRate);
  return [divide(recordings), cut(concatSamples(recordings))].find(isUsable);
}

function cut(recording: Float32Array): Float32Array[][] {
  const at = (part: number) => Math.round((part * recording.length) / GROUPS);
  return Array.from({ length: GROUPS }, (_, part) => [recording.subarray(at(part), at(part + 1))]);
}

/** The longest first, each to the group that is the shortest so far. */
function divide(recordings: readonly Float32Array[]): Float32Array[][] {
  const groups = recordings.slice(0, GROUPS).map((): Float32Array[] => []);
  for (const recording of recordings.toSorted((a, b) => b.length - a.length))
    groups.toSorted((a, b) => lengthOf(a) - lengthOf(b))[0]?.push(recording);
  return groups;
}

const lengthOf = (recordings: readonly Float32Array[]): number =>
  recordings.reduce((samples, { length }) => samples + length, 0);
