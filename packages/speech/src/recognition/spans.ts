import type { Activity, Region } from "./speech-regions.ts";

/** What is recognised at a time. */
export interface Stretch extends Region {
  /** Where somebody speaks in it. */
  readonly regions: readonly Region[];
  /** How sure it is that somebody does: mean probability over the regions. */
  readonly certainty: number;
}

/** What a model takes at once. A little of its 30 seconds is left for the edges. */
const MOST_SECONDS = 28;
/** Shorter than this a stretch has too little context to be understood well, and starting on it costs too much. */
const LEAST_SECONDS = 16;
/** A longer silence is not worth listening to. */
const LONGEST_GAP_SECONDS = 3;
/** Audio around the speech that is listened to: words begin and end softly. */
const EDGE_SECONDS = 0.2;

/**
 * Cuts a recording at its silences. Neighbours stay together while they fit, because a model understands more with more
 * around it; but there are pieces for all `workers`, where the recording is long enough for that.
 */
export function planStretches(regions: readonly Region[], activity: Activity, workers: number): Stretch[] {
  const spoken = regions.reduce((sum, region) => sum + region.to - region.from, 0);
  const most = Math.min(MOST_SECONDS, Math.max(LEAST_SECONDS, (spoken * 1.2) / workers));
  const groups = gather(
    regions.flatMap((region) => splitLong(region, activity, most)),
    most,
  );
  const end = activity.probabilities.length * activity.chunkSeconds;
  return groups.map((group, index) => {
    const first = group[0]?.from ?? 0;
    const last = group.at(-1)?.to ?? 0;
    // Neither over the ends of the recording nor into what is said in the neighbouring stretch.
    const before = groups[index - 1]?.at(-1)?.to ?? 0;
    const after = groups[index + 1]?.[0]?.from ?? end;
    return {
      from: Math.max(first - EDGE_SECONDS, Math.min(first, (before + first) / 2), 0),
      to: Math.min(last + EDGE_SECONDS, Math.max(last, (last + after) / 2), Math.max(end, last)),
      regions: group,
      certainty: meanProbability(group, activity),
    };
  });
}

/** Somebody who speaks without a pause is cut where it is least likely to be in a word. */
function splitLong(region: Region, activity: Activity, most: number): Region[] {
  const pieces: Region[] = [];
  let { from } = region;
  while (region.to - from > most) {
    // Not so late that the rest is a mere scrap.
    const latest = Math.min(from + most, region.to - 1);
    const cut = quietest(activity, from + most / 2, latest);
    pieces.push({ from, to: cut });
    from = cut;
  }
  return [...pieces, { from, to: region.to }];
}

function quietest({ chunkSeconds, probabilities, levels }: Activity, from: number, to: number): number {
  let best = Math.round(from / chunkSeconds);
  let least = Number.POSITIVE_INFINITY;
  for (let chunk = best; chunk <= Math.floor(to / chunkSeconds); chunk++) {
    // Of two equally likely places the quieter one.
    const score = (probabilities[chunk] ?? 0) + (levels[chunk] ?? 0);
    if (score < least) {
      least = score;
      best = chunk;
    }
  }
  return (best + 0.5) * chunkSeconds;
}

/** Takes regions together until they are too long, then cuts at the longest silence in their second half. */
function gather(regions: readonly Region[], most: number): Region[][] {
  const groups: Region[][] = [];
  let group: Region[] = [];
  const give = (count: number) => {
    if (count > 0) groups.push(group.slice(0, count));
    group = group.slice(count);
  };
  for (const region of regions) {
    if (region.from - (group.at(-1)?.to ?? region.from) > LONGEST_GAP_SECONDS) give(group.length);
    while (group[0] && region.to - group[0].from > most) give(bestCut([...group, region], most));
    group.push(region);
  }
  give(group.length);
  return groups;
}

/** How many of the regions come before the cut. */
function bestCut(regions: readonly Region[], most: number): number {
  const start = regions[0]?.from ?? 0;
  let best = regions.length - 1;
  let longest = 0;
  for (let count = 1; count < regions.length; count++) {
    const end = regions[count - 1]?.to ?? 0;
    const gap = (regions[count]?.from ?? 0) - end;
    if (end - start >= most / 2 && gap > longest) {
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
