import type { Activity, Region } from "./speech-regions.ts";

/** A part of a recording that is recognized in one job. */
export interface SpeechSpan extends Region {
  /** The regions of speech in it. */
  readonly regions: readonly Region[];
  /** The mean probability of speech over the regions. */
  readonly certainty: number;
}

/** The models accept 30 seconds; the rest is for the edges. */
const MAX_SECONDS = 28;
/** Shorter spans have too little context to be recognized well, and cost too much to start. */
const MIN_SECONDS = 16;
/** Where text is sent while the rest is recognized: a little less context for text that comes earlier. */
const STREAMED_SECONDS = 8;
/** A longer silence separates two spans. */
const MAX_GAP_SECONDS = 3;
/** Audio around the speech that is included: words start and end quietly. */
const EDGE_SECONDS = 0.2;

/**
 * Splits a recording at its silences. Neighbouring regions stay together while they fit, because context improves the
 * recognition; but a recording that is long enough is split into spans for all `workers`, and one whose text is
 * `streamed` into short spans.
 */
export function planSpans(
  regions: readonly Region[],
  activity: Activity,
  workers: number,
  streamed = false,
): SpeechSpan[] {
  const speechSeconds = regions.reduce((sum, region) => sum + region.to - region.from, 0);
  const shared = Math.min(MAX_SECONDS, Math.max(MIN_SECONDS, (speechSeconds * 1.2) / workers));
  const maxSeconds = streamed ? STREAMED_SECONDS : shared;
  const groups = group(
    regions.flatMap((region) => splitLong(region, activity, maxSeconds)),
    maxSeconds,
  );
  const end = activity.probabilities.length * activity.chunkSeconds;
  return groups.map((members, index) => {
    const first = members[0]?.from ?? 0;
    const last = members.at(-1)?.to ?? 0;
    // Neither beyond the ends of the recording nor into the speech of a neighbouring span.
    const before = groups[index - 1]?.at(-1)?.to ?? 0;
    const after = groups[index + 1]?.[0]?.from ?? end;
    return {
      from: Math.max(first - EDGE_SECONDS, Math.min(first, (before + first) / 2), 0),
      to: Math.min(last + EDGE_SECONDS, Math.max(last, (last + after) / 2), Math.max(end, last)),
      regions: members,
      certainty: meanProbability(members, activity),
    };
  });
}

/** Speech without a pause is split where it is least likely to be inside a word. */
function splitLong(region: Region, activity: Activity, maxSeconds: number): Region[] {
  const pieces: Region[] = [];
  let { from } = region;
  while (region.to - from > maxSeconds) {
    // Leave at least a second for the rest.
    const latest = Math.min(from + maxSeconds, region.to - 1);
    const cut = quietest(activity, from + maxSeconds / 2, latest);
    pieces.push({ from, to: cut });
    from = cut;
  }
  return [...pieces, { from, to: region.to }];
}

function quietest({ chunkSeconds, probabilities, levels }: Activity, from: number, to: number): number {
  let best = Math.round(from / chunkSeconds);
  let lowest = Number.POSITIVE_INFINITY;
  for (let chunk = best; chunk <= Math.floor(to / chunkSeconds); chunk++) {
    // Of two equally likely positions the quieter one.
    const score = (probabilities[chunk] ?? 0) + (levels[chunk] ?? 0);
    if (score < lowest) {
      lowest = score;
      best = chunk;
    }
  }
  return (best + 0.5) * chunkSeconds;
}

/** Groups regions until they are too long, then splits at the longest silence in their second half. */
function group(regions: readonly Region[], maxSeconds: number): Region[][] {
  const groups: Region[][] = [];
  let current: Region[] = [];
  const finish = (count: number) => {
    if (count > 0) groups.push(current.slice(0, count));
    current = current.slice(count);
  };
  for (const region of regions) {
    if (region.from - (current.at(-1)?.to ?? region.from) > MAX_GAP_SECONDS) finish(current.length);
    while (current[0] && region.to - current[0].from > maxSeconds) finish(bestCut([...current, region], maxSeconds));
    current.push(region);
  }
  finish(current.length);
  return groups;
}

/** The number of regions before the cut. */
function bestCut(regions: readonly Region[], maxSeconds: number): number {
  const start = regions[0]?.from ?? 0;
  let best = regions.length - 1;
  let longest = 0;
  for (let count = 1; count < regions.length; count++) {
    const end = regions[count - 1]?.to ?? 0;
    const gap = (regions[count]?.from ?? 0) - end;
    if (end - start >= maxSeconds / 2 && gap > longest) {
      longest = gap;
      best = count;
    }
  }
  return best;
}

function meanProbability(regions: readonly Region[], { chunkSeconds, probabilities }: Activity): number {
  let sum = 0;
  let count = 0;
  for (const { from, to } of regions) {
    for (let chunk = Math.round(from / chunkSeconds); chunk < Math.round(to / chunkSeconds); chunk++) {
      sum += probabilities[chunk] ?? 0;
      count++;
    }
  }
  return sum / Math.max(1, count);
}
