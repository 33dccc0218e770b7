import { setTimeout as sleep } from "node:timers/promises";
import { sentences } from "../sentences.ts";
import { type Outcome, requestSpeech, type Target } from "./client.ts";

/** Text lengths in sentences, each as often as it occurs: mostly replies of an agent, sometimes a page. */
const lengths = [1, 1, 1, 1, 1, 2, 2, 2, 3, 6];

/** The same numbers for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function randomText(random: () => number): string {
  const count = lengths[Math.floor(random() * lengths.length)] ?? 1;
  const first = Math.floor(random() * sentences.length);
  return Array.from({ length: count }, (_, index) => sentences[(first + index) % sentences.length]).join(" ");
}

export interface Load {
  readonly outcomes: readonly Outcome[];
  /** Outcomes of the retries. */
  readonly retried: readonly Outcome[];
}

/** Sends requests at random times with the given mean rate. A share of the refused ones is retried once. */
export async function runLoad(
  target: Target,
  options: { perSecond: number; seconds: number; random: () => number; retryShare: number },
): Promise<Load> {
  const { perSecond, seconds, random, retryShare } = options;
  const outcomes: Promise<Outcome>[] = [];
  const retried: Promise<Outcome>[] = [];
  const end = performance.now() + seconds * 1000;
  const one = async (text: string, retries: boolean): Promise<Outcome> => {
    const outcome = await requestSpeech(target, text);
    if (outcome.is === "refused" && retries) {
      retried.push(sleep(outcome.retryAfter * 1000).then(() => requestSpeech(target, text)));
    }
    return outcome;
  };
  for (let at = performance.now(); at < end; at += (-Math.log(1 - random()) / perSecond) * 1000) {
    const wait = at - performance.now();
    if (wait > 0) await sleep(wait);
    outcomes.push(one(randomText(random), random() < retryShare));
  }
  return { outcomes: await Promise.all(outcomes), retried: await Promise.all(retried) };
}
