import type { FastifyInstance } from "fastify";

/** The streams that are being answered now, so that a stop can wait for them and in the end cut them. */
export interface Running {
  /** True once a stop was asked for: nothing new is taken. */
  readonly draining: boolean;
  readonly size: number;
  /** The controller ends with the stream, or is aborted when the stop's deadline passes. */
  add(controller: AbortController): () => void;
  /** A connection that may be open without a stream. The result forgets it. */
  addConnection(connection: Connection): () => void;
  drain(): void;
  abortAll(reason: Error): void;
}

export interface Connection {
  /** Close as soon as nothing is running on it. */
  drain(): void;
  /** Close now. */
  cut(): void;
}

export function createRunning(): Running {
  const controllers = new Set<AbortController>();
  const connections = new Set<Connection>();
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
    addConnection(connection) {
      connections.add(connection);
      return () => connections.delete(connection);
    },
    drain() {
      draining = true;
      for (const connection of [...connections]) connection.drain();
    },
    abortAll(reason) {
      for (const controller of [...controllers]) controller.abort(reason);
      for (const connection of [...connections]) connection.cut();
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
