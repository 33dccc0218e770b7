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

export function createFrameGap(socket: LiveSocket, signal: AbortSignal, readerTimeoutMs: number): FrameGap {
  let fastestMs = Number.POSITIVE_INFINITY;
  /** When the first frame was sent that the peer has not shown to have read. */
  let unreadSince: number | undefined;
  // While reading is paused, for text that waits to be spoken, no answer can arrive.
  const isNear = (): boolean => fastestMs <= FAR_MS && !socket.isPaused;
  const ping = async (maxMs: number): Promise<void> => {
    const started = performance.now();
    const isAnswered = await whenAnswered(socket, signal, maxMs);
    const now = performance.now();
    if (isAnswered) [fastestMs, unreadSince] = [Math.min(fastestMs, now - started), undefined];
    else if (isNear() && now - (unreadSince ?? now) > readerTimeoutMs) socket.terminate();
  };
  // The first measurement, before there is any audio.
  void ping(MAX_NEAR_MS);
  let read: Promise<void> = Promise.resolve();
  return {
    ready: () => read,
    sent() {
      unreadSince ??= performance.now();
      read = ping(isNear() ? MAX_NEAR_MS : FAR_MS);
    },
  };
}
