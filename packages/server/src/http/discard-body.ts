import type { FastifyInstance } from "fastify";

export interface DiscardLimits {
  readonly bytes: number;
  readonly ms: number;
}

const USUAL: DiscardLimits = { bytes: 64 * 1024 * 1024, ms: 15_000 };

/**
 * An answer that is sent while the caller still sends (a file that is too large, a key that is not known) would be lost
 * if the connection closed at once: the caller's system drops what it has received when its own bytes are turned away.
 * So the rest is read and thrown away, for a while. A caller that goes on beyond that is cut off.
 */
export function discardUnreadBodies(scope: FastifyInstance, patience: DiscardLimits = USUAL): void {
  // Who closes a connection at once turns the rest away. It is read instead, and the connection can be used again.
  scope.addHook("onSend", async (_request, reply) => {
    if (reply.statusCode === 413) reply.removeHeader("connection");
  });
  scope.addHook("onRequest", async ({ raw }, reply) => {
    reply.raw.once("finish", () => {
      if (raw.complete || raw.destroyed) return;
      let left = patience.bytes;
      const cut = (): void => void raw.socket.destroy();
      const timer = setTimeout(cut, patience.ms);
      raw.once("close", () => clearTimeout(timer));
      raw.once("end", () => clearTimeout(timer));
      // Whoever read it before has stopped, and would hold it back.
      raw.unpipe();
      raw.removeAllListeners("readable");
      raw.removeAllListeners("data");
      raw.on("data", (chunk: Buffer) => {
        left -= chunk.length;
        if (left < 0) cut();
      });
      raw.resume();
    });
  });
}
