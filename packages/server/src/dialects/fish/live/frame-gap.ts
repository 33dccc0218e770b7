import { type LiveSocket, whenAnswered } from "./live-socket.ts";

/**
 * One client loses all audio frames but one of those that it reads in one turn of its event loop. So each frame waits until
 * the peer has read the one before, which the answer to a ping shows.
 */
export interface FrameGap {
  /** Resolves when the next frame may be sent. */
  ready(): Promise<void>;
  /** Call it right after a frame. */
  sent(): void;
}

/** A peer that has never answered faster is far away, or answers no pings: a frame waits no longer for it. */
const FAR_MS = 20;
/** A peer nearby that takes longer does not read, so that it loses no time. */
const MAX_NEAR_MS = 1_000;

export function createFrameGap(socket: LiveSocket, signal: AbortSignal): FrameGap {
  let fastestMs = Number.POSITIVE_INFINITY;
  const ping = async (maxMs: number): Promise<void> => {
    const started = performance.now();
    if (await whenAnswered(socket, signal, maxMs)) fastestMs = Math.min(fastestMs, performance.now() - started);
  };
  // The first measurement, before there is any audio.
  void ping(MAX_NEAR_MS);
  let read: Promise<void> = Promise.resolve();
  return {
    ready: () => read,
    sent() {
      read = ping(fastestMs <= FAR_MS ? MAX_NEAR_MS : FAR_MS);
    },
  };
}
