import type { LiveSocket } from "./live-socket.ts";

/** With more text queued, the socket is paused until some of it was spoken. */
const MAX_PENDING_SIZE = 32 * 1024;

/** Call it when the size of the queued text has changed. */
export function applyBackpressure(socket: LiveSocket, pendingSize: number): void {
  if (pendingSize > MAX_PENDING_SIZE) socket.pause();
  else if (socket.isPaused && pendingSize < MAX_PENDING_SIZE / 2) socket.resume();
}
