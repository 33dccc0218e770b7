import type { Region } from "../speech-regions.ts";
import { clusterByMean, cut, type Hierarchy } from "./cluster.ts";
import { speakersOfWords, type TimedWord } from "./word-speakers.ts";

/** A window of speech and the x-vector of the voice in it. */
export interface VoiceWindow extends Region {
  readonly vector: Float32Array;
}

export interface VoicesToGroup {
  readonly windows: readonly VoiceWindow[];
  readonly words: readonly TimedWord[];
  /** How many people speak. Undefined: found. */
  readonly count: number | undefined;
  readonly maxCount: number;
  /** X-vectors of people who may speak. */
  readonly known: readonly Float32Array[];
}

export interface GroupedVoice {
  /** The mean of the x-vectors, of length 1. */
  readonly embedding: Float32Array;
  /** The index of the known voice. */
  readonly known: number | undefined;
}

export interface GroupedVoices {
  /** In the order of their first words. */
  readonly speakers: readonly GroupedVoice[];
  /** The index of the speaker of each word. */
  readonly ofWords: readonly number[];
}

/**
 * Measured with `npm run bench -- speakers`: two windows of one person have a cosine of 0.46 on average, those of two people
 * 0.17. Windows are grouped up to a mean that few pairs of people reach, so that a person may get several clusters.
 */
const SAME_SPEAKER = 0.32;
/** These are joined: centroids with a higher cosine are the same person. */
const SAME_CENTROID = 0.65;
/** A cosine of this to a known voice means that it is the same person. Vectors of many seconds are more similar than those of windows. */
const KNOWN_SPEAKER = 0.45;
/** With less speech than this, or than this share of all, a cluster is no further speaker: it may be a mix of two voices. */
const MIN_SPEAKER_SECONDS = 3;
const MIN_SPEAKER_SHARE = 0.15;
/** A shorter window says too little to start a cluster. */
const RELIABLE_SECONDS = 1;
/** Clusters of a few odd windows that are passed over in the search for a given number of people. */
const MAX_OUTLIERS = 40;
const ROUNDS = 2;

/** Finds out which windows and words belong to the same person. For a worker process: it takes a while. */
export function groupVoices({ windows, words, count, maxCount, known }: VoicesToGroup): GroupedVoices {
  if (words.length === 0) return { speakers: [], ofWords: [] };
  const reliable = windows.filter(({ from, to }) => to - from >= RELIABLE_SECONDS);
  const used = reliable.length > 0 ? reliable : windows;
  if (used.length === 0) return oneSpeaker(words);
  let voices = centroidsOf(used, count, maxCount);
  let ofWords: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const scored = windows.map((window) => ({ ...window, scores: voices.map((voice) => dot(voice, window.vector)) }));
    ofWords = speakersOfWords(words, scored, voices.length);
    if (round < ROUNDS - 1) voices = voices.map((voice, index) => meanWithin(index, used, words, ofWords) ?? voice);
  }
  return named(voices, ofWords, known);
}

function oneSpeaker(words: readonly TimedWord[]): GroupedVoices {
  return { speakers: [{ embedding: new Float32Array(0), known: undefined }], ofWords: words.map(() => 0) };
}

/** The mean vector of each person. */
function centroidsOf(windows: readonly VoiceWindow[], count: number | undefined, maxCount: number): Float32Array[] {
  const hierarchy = clusterByMean(windows.length, (a, b) => dot(windows[a]?.vector, windows[b]?.vector));
  const minSeconds = Math.min(MIN_SPEAKER_SECONDS, MIN_SPEAKER_SHARE * covered(windows));
  const applied = count === undefined ? similarMerges(hierarchy) : mergesFor(hierarchy, windows, count, minSeconds);
  const clusters = clustersOf(cut(hierarchy, applied), windows).sort((a, b) => b.seconds - a.seconds);
  const large = clusters.filter(({ seconds }) => seconds >= minSeconds);
  const people = large.length > 0 ? large : clusters.slice(0, 1);
  const joined = count === undefined ? joinSimilar(people) : people;
  return joined.slice(0, count ?? maxCount).map(({ members }) => centroidOf(members));
}

/** Joins clusters whose centroids are as similar as those of one person. */
function joinSimilar(clusters: readonly Cluster[]): readonly Cluster[] {
  const joined = [...clusters];
  for (;;) {
    const centroids = joined.map(({ members }) => centroidOf(members));
    let pair: readonly [number, number] | undefined;
    let highest = SAME_CENTROID;
    for (let a = 0; a < joined.length; a++) {
      for (let b = 0; b < a; b++) {
        const similarity = dot(centroids[a], centroids[b]);
        if (similarity < highest) continue;
        highest = similarity;
        pair = [b, a];
      }
    }
    const [first, second] = [joined[pair?.[0] ?? -1], joined[pair?.[1] ?? -1]];
    if (pair === undefined || first === undefined || second === undefined) return joined;
    const members = [...first.members, ...second.members].sort((a, b) => a.from - b.from);
    joined[pair[0]] = { members, seconds: covered(members) };
    joined.splice(pair[1], 1);
  }
}

function centroidOf(members: readonly VoiceWindow[]): Float32Array {
  return meanOf(members.map(({ vector }) => vector));
}

/** Merges of clusters that are as similar as those of one person. */
function similarMerges({ merges }: Hierarchy): number {
  const end = merges.findIndex(({ similarity }) => similarity < SAME_SPEAKER);
  return end < 0 ? merges.length : end;
}

/** As many merges as leave `count` people with enough speech, or as near to that as possible. */
function mergesFor(hierarchy: Hierarchy, windows: readonly VoiceWindow[], count: number, minSeconds: number): number {
  const last = hierarchy.merges.length;
  let best = last;
  let most = 0;
  for (let left = 1; left <= Math.min(windows.length, count + MAX_OUTLIERS); left++) {
    const applied = last - (left - 1);
    const large = clustersOf(cut(hierarchy, applied), windows).filter((each) => each.seconds >= minSeconds);
    if (large.length === count) return applied;
    if (large.length < count && large.length > most) [best, most] = [applied, large.length];
  }
  return best;
}

interface Cluster {
  readonly members: VoiceWindow[];
  /** Of speech in them; what several windows cover counts once. */
  readonly seconds: number;
}

function clustersOf(ids: readonly number[], windows: readonly VoiceWindow[]): Cluster[] {
  const clusters = new Map<number, VoiceWindow[]>();
  windows.forEach((window, index) => {
    const id = ids[index] ?? 0;
    const members = clusters.get(id);
    if (members) members.push(window);
    else clusters.set(id, [window]);
  });
  return [...clusters.values()].map((members) => ({ members, seconds: covered(members) }));
}

/** Windows are in the order of time. */
function covered(windows: readonly Region[]): number {
  let seconds = 0;
  let end = 0;
  for (const { from, to } of windows) {
    seconds += Math.max(0, to - Math.max(from, end));
    end = Math.max(end, to);
  }
  return seconds;
}

/** The mean of the windows in which only this speaker has words. */
function meanWithin(
  speaker: number,
  windows: readonly VoiceWindow[],
  words: readonly TimedWord[],
  ofWords: readonly number[],
): Float32Array | undefined {
  const own: Float32Array[] = [];
  let first = 0;
  for (const { from, to, vector } of windows) {
    while (first < words.length && (words[first]?.end ?? 0) <= from) first++;
    let alone = false;
    for (let at = first; at < words.length && (words[at]?.start ?? 0) < to; at++) {
      alone = ofWords[at] === speaker;
      if (!alone) break;
    }
    if (alone) own.push(vector);
  }
  return own.length === 0 ? undefined : meanOf(own);
}

/** Gives speakers their known voices, and numbers them by their first words. */
function named(
  voices: readonly Float32Array[],
  ofWords: readonly number[],
  known: readonly Float32Array[],
): GroupedVoices {
  const order = [...new Set(ofWords)];
  const numbers = new Map(order.map((speaker, number) => [speaker, number]));
  const embeddings = order.map((speaker) => voices[speaker] ?? new Float32Array(0));
  const matches = matchKnown(embeddings, known);
  return {
    speakers: embeddings.map((embedding, number) => ({ embedding, known: matches.get(number) })),
    ofWords: ofWords.map((speaker) => numbers.get(speaker) ?? 0),
  };
}

/** The known voice of each speaker, the most similar pairs first. A known voice is one speaker at most. */
function matchKnown(embeddings: readonly Float32Array[], known: readonly Float32Array[]): ReadonlyMap<number, number> {
  const pairs = embeddings
    .flatMap((embedding, number) =>
      known.map((vector, index) => ({ number, index, similarity: dot(embedding, vector) })),
    )
    .filter(({ similarity }) => similarity >= KNOWN_SPEAKER)
    .sort((a, b) => b.similarity - a.similarity);
  const matches = new Map<number, number>();
  const taken = new Set<number>();
  for (const { number, index } of pairs) {
    if (matches.has(number) || taken.has(index)) continue;
    matches.set(number, index);
    taken.add(index);
  }
  return matches;
}

function meanOf(vectors: readonly Float32Array[]): Float32Array {
  const sum = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (vector[i] ?? 0);
  const length = Math.hypot(...sum);
  return sum.map((value) => value / length);
}

/** The cosine of two vectors of length 1. */
function dot(a: Float32Array | undefined, b: Float32Array | undefined): number {
  let sum = 0;
  for (let i = 0; i < (a?.length ?? 0); i++) sum += (a?.[i] ?? 0) * (b?.[i] ?? 0);
  return sum;
}
