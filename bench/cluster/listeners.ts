import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { playStream, type Stream, type StreamRequest } from "./play-stream.ts";

export interface ListenRequest extends Omit<StreamRequest, "url" | "key"> {
  /** Of the api nodes, which the listeners use in turn as a load balancer would. */
  readonly urls: readonly string[];
  /** Of the accounts, which have as many listeners each. */
  readonly keys: readonly string[];
}

export interface Listening {
  readonly listeners: number;
  /** The streams count from then on, since the first ones all start at the same time. */
  readonly warmUpMs: number;
  readonly measureMs: number;
}

export interface Listened {
  readonly streams: readonly Stream[];
  readonly refusals: readonly Stream[];
  /** Listeners that heard something at a time, on average. */
  readonly held: number;
}

/** Between the first requests of two listeners. */
const ARRIVE_EVERY_MS = 20;
/** A listener who was refused tries again after this time at most: the cluster should never have room to spare. */
const MAX_AWAY_MS = 1_000;

/**
 * More listeners than the cluster can serve: each requests a stream, plays it to its end and requests the next one. One who is
 * refused retries.
 */
export async function listen(
  { urls, keys, ...request }: ListenRequest,
  { listeners, warmUpMs, measureMs }: Listening,
): Promise<Listened> {
  const from = performance.now() + warmUpMs;
  const to = from + measureMs;
  const end = AbortSignal.timeout(warmUpMs + measureMs);
  setMaxListeners(0, end);
  const all: Stream[] = [];
  let next = 0;
  const url = (): string => urls[next++ % urls.length] ?? "";
  async function listener(index: number): Promise<void> {
    await rest(index * ARRIVE_EVERY_MS);
    const key = keys[index % keys.length] ?? "";
    while (!end.aborted) {
      const stream = await playStream({ ...request, key, url: url() }, end).catch((error: unknown) => {
        if (end.aborted) return undefined;
        throw error;
      });
      if (!stream) return;
      all.push(stream);
      if (stream.status === 200) await rest(stream.playedTo - performance.now());
      else await rest(Math.min(MAX_AWAY_MS, stream.retryAfter * 1000));
    }
  }
  const rest = (ms: number): Promise<void> => sleep(Math.max(0, ms), undefined, { signal: end }).catch(() => {});
  await Promise.all(Array.from({ length: listeners }, (_, index) => listener(index)));
  const streams = all.filter(({ status, playedTo }) => status === 200 && playedTo > from);
  const heardMs = streams.reduce(
    (sum, { playedFrom, playedTo }) => sum + Math.max(0, Math.min(to, playedTo) - Math.max(from, playedFrom)),
    0,
  );
  return { streams, refusals: all.filter(({ status }) => status !== 200), held: heardMs / measureMs };
}
