import { SpeechError } from "../../errors.ts";
import { type CostAverage, createCostAverage } from "./cost-average.ts";

/** Accepts as many live streams of audio as the workers can follow, and no more. */
export interface LiveAdmission {
  /** Throws `overloaded`, with the time after which to retry. */
  enter(kind: string): LiveSlot;
  /** The share of one worker that each stream may use. */
  share(): number;
}

export interface LiveSlot {
  /** What was measured, of this kind of stream. The kind may turn out to be another one. */
  measured(kind: string, busySeconds: number, audioSeconds: number): void;
  leave(): void;
}

export interface LiveAdmissionOptions {
  /** May change while machines come and go. */
  readonly workers: () => number;
  /** The maximum number of streams, whatever they cost. */
  readonly maxStreams: number;
  /** Busy seconds of a worker for a second of audio, as assumed before it was measured, by kind of stream. */
  readonly costs: Readonly<Record<string, number>>;
  readonly now?: () => number;
}

/** The rest is a reserve: streams do not speak evenly, and other processes need the cores, too. */
const CAPACITY = 0.8;
/** A stream uses no more for text that is not final, even when it is alone. */
const MAX_SHARE = 0.3;
/** The weight of the newest duration in the average from which the retry time of a refused stream comes. */
const NEWEST_WEIGHT = 0.2;
const MAX_RETRY_SECONDS = 60;

export function createLiveAdmission(options: LiveAdmissionOptions): LiveAdmission {
  const { workers, maxStreams, now = () => performance.now() } = options;
  const streams = new Map<object, string>();
  const costs = new Map<string, CostAverage>(
    Object.entries(options.costs).map(([kind, prior]) => [
      kind,
      createCostAverage({ prior, priorWeight: 20, halfLife: 300 }),
    ]),
  );
  let averageSeconds = 10;
  const highest = (): number => Math.max(0, ...[...costs.values()].map(({ value }) => value));
  const costOf = (kind: string): number => costs.get(kind)?.value ?? highest();

  return {
    enter(kind) {
      const needed = [...streams.values(), kind].reduce((sum, each) => sum + costOf(each), 0);
      // A single stream is always accepted: it cannot be served any better.
      if (streams.size > 0 && (streams.size >= maxStreams || needed > CAPACITY * workers())) {
        const seconds = Math.min(MAX_RETRY_SECONDS, Math.max(1, Math.ceil(averageSeconds / streams.size)));
        throw new SpeechError("overloaded", `no more than ${streams.size} live streams can be followed`, seconds);
      }
      const place = {};
      const entered = now();
      streams.set(place, kind);
      return {
        measured(actual, busySeconds, audioSeconds) {
          if (streams.has(place)) streams.set(place, actual);
          costs.get(actual)?.add(busySeconds, audioSeconds);
        },
        leave() {
          if (!streams.delete(place)) return;
          averageSeconds += NEWEST_WEIGHT * ((now() - entered) / 1000 - averageSeconds);
        },
      };
    },
    share: () => Math.min(MAX_SHARE, (CAPACITY * workers()) / Math.max(1, streams.size)),
  };
}
