import { concatSamples } from "../../../lib/concat.ts";

/** Shorter speech says too little about a speaker, longer speech hardly more. */
const MIN_SECONDS = 2;
const MAX_SECONDS = 60;
const GROUPS = 3;

/**
 * Divides recordings into three or two groups, to check with each what was learned from the others: of whole recordings where
 * those are long enough, otherwise of parts of them. Undefined where there is too little speech.
 */
export function groupsOf(recordings: readonly Float32Array[], sampleRate: number): readonly Float32Array[] | undefined {
  const isUsable = (groups: readonly Float32Array[]) =>
    groups.length > 1 && groups.every(({ length }) => length >= MIN_SECONDS * sampleRate);
  const divided = [GROUPS, GROUPS - 1].map((count) => divide(recordings, count)).find(isUsable);
  const groups = divided ?? cut(concatSamples(recordings));
  return isUsable(groups) ? groups.map((group) => group.subarray(0, MAX_SECONDS * sampleRate)) : undefined;
}

/** Parts of the same length. */
function cut(speech: Float32Array): Float32Array[] {
  const at = (part: number) => Math.round((part * speech.length) / GROUPS);
  return Array.from({ length: GROUPS }, (_, part) => speech.subarray(at(part), at(part + 1)));
}

/** The longest first, each to the group that is the shortest so far. */
function divide(recordings: readonly Float32Array[], count: number): Float32Array[] {
  const groups = recordings.slice(0, count).map((): Float32Array[] => []);
  for (const recording of recordings.toSorted((a, b) => b.length - a.length))
    groups.toSorted((a, b) => lengthOf(a) - lengthOf(b))[0]?.push(recording);
  return groups.map((group) => concatSamples(group));
}

const lengthOf = (recordings: readonly Float32Array[]): number =>
  recordings.reduce((samples, { length }) => samples + length, 0);
