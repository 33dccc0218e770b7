import type { Server } from "node:http";
import { WebSocket } from "ws";
import { type LiveSocket, replyToPings } from "./live-socket.ts";

const PING_MS = 30_000;

/**
 * Pings every client, so that proxies keep the connection open, and closes sockets without a sign of life. The timeout is
 * as long as that of a slow reader: behind audio that is played in real time, a ping is answered late.
 * Returns the function that a new socket is passed to.
 */
export function createHeartbeat(server: Server, timeoutMs: number, pingMs = PING_MS): (socket: LiveSocket) => void {
  // Counted in pings, not in time: a process that was suspended has neither sent pings nor read the replies.
  const maxUnanswered = Math.ceil(timeoutMs / pingMs);
  const unanswered = new Map<LiveSocket, number>();
  const timer = setInterval(() => {
    for (const [socket, pings] of unanswered) {
      // A paused socket is not read, so its pongs are not seen.
      if (socket.readyState !== WebSocket.OPEN || socket.isPaused) continue;
      if (pings >= maxUnanswered) {
        socket.terminate();
        continue;
      }
      unanswered.set(socket, pings + 1);
      socket.ping(() => {});
    }
  }, pingMs);
  timer.unref();
  server.once("close", () => clearInterval(timer));

  return (socket) => {
    const reset = (): void => {
      unanswered.set(socket, 0);
    };
    reset();
    socket.on("message", reset);
    socket.on("pong", reset);
    socket.once("close", () => {
      socket.off("message", reset);
      unanswered.delete(socket);
    });
    replyToPings(socket);
  };
}
