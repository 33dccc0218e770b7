import type { FastifyInstance } from "fastify";

export interface DiscardLimits {
  readonly bytes: number;
  readonly ms: number;
}

const DEFAULT_LIMITS: DiscardLimits = { bytes: 64 * 1024 * 1024, ms: 15_000 };

/**
 * A response that is sent before the whole request was read (a file that is too large, an unknown key) would be lost if
 * the connection closed at once: the client's system drops received data when its own bytes are rejected. So the rest of
 * the body is read and discarded, up to a limit of bytes and time. Then the connection is closed.
 */
export function discardUnreadBodies(scope: FastifyInstance, limits: DiscardLimits = DEFAULT_LIMITS): void {
  // The connection stays open, so that the rest can be read and the connection used again.
  scope.addHook("onSend", async (_request, reply) => {
    if (reply.statusCode === 413) reply.removeHeader("connection");
  });
  scope.addHook("onRequest", async ({ raw }, reply) => {
    reply.raw.once("finish", () => {
      if (raw.complete || raw.destroyed) return;
      let left = limits.bytes;
      const close = (): void => void raw.socket.destroy();
      const timer = setTimeout(close, limits.ms);
      raw.once("close", () => clearTimeout(timer));
      raw.once("end", () => clearTimeout(timer));
      // The earlier reader has stopped; its listeners would pause the stream.
      raw.unpipe();
      raw.removeAllListeners("readable");
      raw.removeAllListeners("data");
      raw.on("data", (chunk: Buffer) => {
        left -= chunk.length;
        if (left < 0) close();
      });
      raw.resume();
    });
  });
}
