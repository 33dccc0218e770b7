import { once } from "node:events";
import type { Server } from "node:http";
import type { Server as TcpServer } from "node:net";

export interface Listener {
  readonly port: number;
  close(): Promise<void>;
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

const MAX_CONNECTIONS = 32;

/** Lets a small HTTP server beside the service listen, with few connections. */
export async function listen(server: Server, address: Address): Promise<Listener> {
  server.maxConnections = MAX_CONNECTIONS;
  return listenOn(server, address, () => server.closeAllConnections());
}

/** `close` stops accepting connections, calls `end` to end those that are open, and waits for them. */
export async function listenOn(server: TcpServer, { host, port }: Address, end = () => {}): Promise<Listener> {
  server.listen({ host, port });
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    async close() {
      const closed = once(server, "close");
      server.close();
      end();
      await closed;
    },
  };
}
