import { createServer } from "node:net";
import { type ConnectionLimits, limitConnections } from "../../http/connections.ts";
import { type Address, type Listener, listenOn } from "../../lib/listen.ts";
import { type ConnectionParts, openConnection } from "./connection.ts";

export interface WyomingOptions extends Address {
  readonly limits: ConnectionLimits;
}

/** Serves the Wyoming protocol on its own TCP port. */
export async function listenForWyoming(parts: ConnectionParts, options: WyomingOptions): Promise<Listener> {
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
  const { port, close } = await listenOn(server, options);
  return {
    port,
    async close() {
      await close();
      await Promise.all(open);
    },
  };
}
