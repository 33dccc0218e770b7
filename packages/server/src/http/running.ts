import type { FastifyInstance } from "fastify";

/** The streams that are being answered now, so that a stop can wait for them and in the end cut them. */
export interface Running {
  /** True once a stop was asked for: nothing new is taken. */
  readonly draining: boolean;
  readonly size: number;
  /** The controller ends with the stream, or is aborted when the stop's deadline passes. */
  add(controller: AbortController): () => void;
  drain(): void;
  abortAll(reason: Error): void;
}

export function createRunning(): Running {
  const controllers = new Set<AbortController>();
  let draining = false;
  return {
    get draining() {
      return draining;
    },
    get size() {
      return controllers.size;
    },
    add(controller) {
      controllers.add(controller);
      return () => controllers.delete(controller);
    },
    drain() {
      draining = true;
    },
    abortAll(reason) {
      for (const controller of controllers) controller.abort(reason);
    },
  };
}

/**
 * A connection that was busy when the stop came would be kept alive after its answer, and the stop would wait for it.
 */
export function endConnectionsWhenDraining(app: FastifyInstance, running: Running): void {
  app.addHook("onRequest", async (request, reply) => {
    const { socket } = request.raw;
    reply.raw.once("close", () => {
      if (running.draining) socket.end();
    });
  });
}
