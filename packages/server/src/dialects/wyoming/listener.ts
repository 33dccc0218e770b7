import { once } from "node:events";
import { createServer } from "node:net";
import { type ConnectionLimits, limitConnections } from "../../http/connections.ts";
import { type ConnectionParts, openConnection } from "./connection.ts";

export interface WyomingListener {
  readonly port: number;
  close(): Promise<void>;
}

export interface WyomingOptions {
  readonly host: string;
  readonly port: number;
  readonly limits: ConnectionLimits;
}

/** Serves the Wyoming protocol on its own TCP port. */
export async function listenForWyoming(parts: ConnectionParts, options: WyomingOptions): Promise<WyomingListener> {
  const open = new Set<Promise<void>>();
  // A client may send its last event, close its side and wait for the answer.
  const server = createServer({ allowHalfOpen: true, noDelay: true });
  limitConnections(server, options.limits, parts.log);
  server.on("connection", (socket) => {
    // One connection too many.
    if (socket.destroyed) return;
    const connection = openConnection(socket, parts);
    const remove = parts.activeRequests.addConnection({
      drain: connection.drain,
      terminate: () => socket.destroy(),
    });
    open.add(connection.ended);
    void connection.ended.finally(() => {
      open.delete(connection.ended);
      remove();
    });
  });
  server.listen({ host: options.host, port: options.port });
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : options.port,
    async close() {
      const closed = once(server, "close");
      server.close();
      await closed;
      await Promise.all(open);
    },
  };
}
