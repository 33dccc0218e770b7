import type { LiveSocket } from "../fish/live/live-socket.ts";

const POLL_MS = 20;

/** Stops reading a client while its stream is full. Call it after each message. */
export function createReadPause(socket: LiveSocket, isFull: () => boolean, signal: AbortSignal): () => void {
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  signal.addEventListener("abort", stop, { once: true });
  return () => {
    if (signal.aborted || timer !== undefined || !isFull()) return;
    socket.pause();
    timer = setInterval(() => {
      if (isFull()) return;
      stop();
      socket.resume();
    }, POLL_MS);
  };
}
