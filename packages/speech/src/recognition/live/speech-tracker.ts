import { isSpeech, speechRules } from "../speech-regions.ts";

/** Follows the probability of speech, chunk by chunk, and says where the speech of a stream is. */
export interface SpeechTracker {
  /** The chunk that was added last, in seconds. */
  readonly now: number;
  /** Undefined while nobody speaks. */
  readonly speech: TrackedSpeech | undefined;
  add(probability: number, level: number): void;
  /** The speech so far is over; what follows is new. */
  reset(): void;
}

export interface TrackedSpeech {
  /** Seconds from the start of the stream. */
  readonly from: number;
  /** The end of the last sound of speech. */
  readonly to: number;
  /** The mean probability of speech in it. */
  readonly certainty: number;
}

export function createSpeechTracker(chunkSeconds: number): SpeechTracker {
  let chunks = 0;
  let found: { from: number; to: number; peak: number; loudest: number; sum: number; count: number } | undefined;
  let isCertain = false;
  const seconds = (): number => chunks * chunkSeconds;
  return {
    get now() {
      return seconds();
    },
    get speech() {
      if (!found || !isCertain) return undefined;
      return { from: found.from, to: found.to, certainty: found.sum / found.count };
    },
    add(probability, level) {
      const from = seconds();
      chunks++;
      const isPause = found !== undefined && from - found.to >= speechRules.minPause;
      if (probability < (found === undefined || isPause ? speechRules.start : speechRules.continue)) {
        if (isPause && !isCertain) found = undefined;
        return;
      }
      found ??= { from, to: from, peak: 0, loudest: 0, sum: 0, count: 0 };
      found.to = seconds();
      found.peak = Math.max(found.peak, probability);
      found.loudest = Math.max(found.loudest, level);
      found.sum += probability;
      found.count++;
      const { peak, loudest } = found;
      isCertain ||= isSpeech({ seconds: found.to - found.from, peak, loudest });
    },
    reset() {
      found = undefined;
      isCertain = false;
    },
  };
}
