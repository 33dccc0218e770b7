import type { Server } from "node:http";
import { WebSocket } from "ws";
import { type LiveSocket, replyToPings } from "./live-socket.ts";

const PING_MS = 30_000;

/**
 * Pings every peer, so that what lies between keeps the connection, and cuts those that give no sign of life. They have
 * as long as a reader may take nothing: behind audio that is played as it comes, a ping is answered late.
 * Gives the function that a new socket is shown to.
 */
export function createHeartbeat(server: Server, silenceMs: number, pingMs = PING_MS): (socket: LiveSocket) => void {
  // Counted in pings and not by the clock: a process that stood still for a while has asked nobody anything, and has
  // not read what they said.
  const mostUnanswered = Math.ceil(silenceMs / pingMs);
  const unanswered = new Map<LiveSocket, number>();
  const timer = setInterval(() => {
    for (const [socket, pings] of unanswered) {
      // Nothing is read from a socket that waits for its text to be spoken, so it cannot give a sign.
      if (socket.readyState !== WebSocket.OPEN || socket.isPaused) continue;
      if (pings >= mostUnanswered) {
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
    const alive = (): void => {
      unanswered.set(socket, 0);
    };
    alive();
    socket.on("message", alive);
    socket.on("pong", alive);
    socket.once("close", () => {
      socket.off("message", alive);
      unanswered.delete(socket);
    });
    replyToPings(socket);
  };
}
