import { addTo } from "../../stores/usage-histogram.ts";

/** The sums of a group of requests. */
export interface UsageSum {
  requests: number;
  characters: number;
  audioMs: number;
  credits: number;
  refused: number;
  failed: number;
  readonly firstAudio: Map<number, number>;
}

export function newSum(): UsageSum {
  return { requests: 0, characters: 0, audioMs: 0, credits: 0, refused: 0, failed: 0, firstAudio: new Map() };
}

type Counts = Omit<UsageSum, "firstAudio">;

export function addToSum(sum: UsageSum, more: Readonly<Counts>, firstAudio: ReadonlyMap<number, number>): void {
  sum.requests += more.requests;
  sum.characters += more.characters;
  sum.audioMs += more.audioMs;
  sum.credits += more.credits;
  sum.refused += more.refused;
  sum.failed += more.failed;
  addTo(sum.firstAudio, firstAudio);
}
