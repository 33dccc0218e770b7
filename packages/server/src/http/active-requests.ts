import type { FastifyInstance } from "fastify";

/** The requests that run now, so that a shutdown can wait for them and abort the rest. */
export interface ActiveRequests {
  /** True once the shutdown has started: no new request is accepted. */
  readonly draining: boolean;
  readonly size: number;
  /** Connections that may be open without a stream: live sockets. */
  readonly connections: number;
  /** The controller ends with the stream, or is aborted when the stop's deadline passes. */
  add(controller: AbortController): () => void;
  /** A connection that may be open without a stream. The returned function removes it. */
  addConnection(connection: Connection): () => void;
  drain(): void;
  abortAll(reason: Error): void;
  /** Resolves when no stream runs and no such connection is open, at once if that is so now. */
  whenIdle(): Promise<void>;
}

export interface Connection {
  /** Close as soon as nothing is running on it. */
  drain(): void;
  /** Close now. */
  terminate(): void;
}

export function createActiveRequests(): ActiveRequests {
  const controllers = new Set<AbortController>();
  const connections = new Set<Connection>();
  let draining = false;
  const waiting = new Set<() => void>();
  const isIdle = (): boolean => controllers.size === 0 && connections.size === 0;
  const remove = <Item>(items: Set<Item>, item: Item): void => {
    items.delete(item);
    if (!isIdle()) return;
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
  return {
    get draining() {
      return draining;
    },
    get size() {
      return controllers.size;
    },
    get connections() {
      return connections.size;
    },
    add(controller) {
      controllers.add(controller);
      return () => remove(controllers, controller);
    },
    addConnection(connection) {
      connections.add(connection);
      return () => remove(connections, connection);
    },
    drain() {
      draining = true;
      for (const connection of [...connections]) connection.drain();
    },
    abortAll(reason) {
      for (const controller of [...controllers]) controller.abort(reason);
      for (const connection of [...connections]) connection.terminate();
    },
    whenIdle: () => (isIdle() ? Promise.resolve() : new Promise((resolve) => void waiting.add(resolve))),
  };
}

/**
 * A connection with a request during the shutdown would be kept alive after the response, and delay the shutdown.
 */
export function endConnectionsWhenDraining(app: FastifyInstance, activeRequests: ActiveRequests): void {
  // Said in advance where that is possible, so that no caller sends the next request into a connection that is closing.
  app.addHook("onSend", async (_request, reply) => {
    if (activeRequests.draining) reply.header("connection", "close");
  });
  app.addHook("onResponse", async ({ raw }) => {
    if (activeRequests.draining) raw.socket.end();
  });
}
