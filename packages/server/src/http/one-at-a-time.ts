import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { createSlots, type Slots } from "../lib/slots.ts";

/** Requests that a client may send on one connection while it waits for the response to an earlier one. */
const MAX_SENT_AHEAD = 100;

/**
 * Handles the requests of a connection one after the other. Node would handle requests that are sent ahead at the same time, and tell
 * only the first of them when the connection closes: the work for the others would go on.
 *
 * A connection whose client reads nothing for a while is closed: the bytes stay in memory until then. A response that is still being
 * made has time limits of its own.
 */
export function handleOneAtATime(http: FastifyInstance, readerTimeoutMs: number): void {
  const connections = new WeakMap<Socket, Slots>();
  const busy = new WeakSet<Socket>();
  const onFull = () => new Error("too many requests are sent ahead");
  http.addHook("onRequest", async ({ raw: { socket } }, reply) => {
    const slots = connections.get(socket) ?? createSlots({ slots: 1, maxWaiting: MAX_SENT_AHEAD, onFull });
    connections.set(socket, slots);
    const leave = await slots.enter().catch(() => void socket.destroy());
    if (socket.destroyed) {
      leave?.();
      reply.hijack();
      return;
    }
    busy.add(socket);
    reply.raw.once("close", () => {
      busy.delete(socket);
      leave?.();
    });
  });
  http.server.timeout = readerTimeoutMs;
  http.server.on("timeout", (socket: Socket) => {
    if (socket.writableLength > 0 || !busy.has(socket)) socket.destroy();
  });
}
