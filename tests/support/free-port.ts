import { once } from "node:events";
import { createServer } from "node:net";

/** A port that nothing listens on, for programs that cannot choose one themselves. */
export async function freePort(address = "127.0.0.1"): Promise<number> {
  const server = createServer().listen(0, address);
  await once(server, "listening");
  const bound = server.address();
  server.close();
  await once(server, "close");
  if (bound === null || typeof bound === "string") throw new Error("there is no free port");
  return bound.port;
}
