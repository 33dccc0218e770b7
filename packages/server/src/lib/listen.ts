import { once } from "node:events";
import type { Server } from "node:http";

export interface Listener {
  readonly port: number;
  close(): Promise<void>;
}

const MAX_CONNECTIONS = 32;

/** Lets a small server beside the service listen, with few connections. */
export async function listen(
  server: Server,
  options: { readonly host: string; readonly port: number },
): Promise<Listener> {
  server.maxConnections = MAX_CONNECTIONS;
  server.listen({ host: options.host, port: options.port });
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : options.port,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
