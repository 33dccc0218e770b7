import { setTimeout as sleep } from "node:timers/promises";
import { sentences } from "../sentences.ts";
import { call, type Outcome, type Target } from "./caller.ts";

/** How long texts are, in sentences, and how often: answers of an agent mostly, now and then a page. */
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

export function someText(random: () => number): string {
  const count = lengths[Math.floor(random() * lengths.length)] ?? 1;
  const first = Math.floor(random() * sentences.length);
  return Array.from({ length: count }, (_, index) => sentences[(first + index) % sentences.length]).join(" ");
}

export interface Load {
  readonly outcomes: readonly Outcome[];
  /** What became of those who came back when they had been told to. */
  readonly returned: readonly Outcome[];
}

/** Callers who come by chance, so many a second on average, whatever becomes of the others. Some who are refused come back once. */
export async function offer(
  target: Target,
  options: { perSecond: number; seconds: number; random: () => number; comeBack: number },
): Promise<Load> {
  const { perSecond, seconds, random, comeBack } = options;
  const outcomes: Promise<Outcome>[] = [];
  const returned: Promise<Outcome>[] = [];
  const end = performance.now() + seconds * 1000;
  const one = async (text: string, returns: boolean): Promise<Outcome> => {
    const outcome = await call(target, text);
    if (outcome.is === "refused" && returns) {
      returned.push(sleep(outcome.retryAfter * 1000).then(() => call(target, text)));
    }
    return outcome;
  };
  for (let at = performance.now(); at < end; at += (-Math.log(1 - random()) / perSecond) * 1000) {
    const wait = at - performance.now();
    if (wait > 0) await sleep(wait);
    outcomes.push(one(someText(random), random() < comeBack));
  }
  return { outcomes: await Promise.all(outcomes), returned: await Promise.all(returned) };
}
