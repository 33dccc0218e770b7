import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";

export function isWebSocketUpgrade(request: IncomingMessage): boolean {
  return request.headers.upgrade?.toLowerCase() === "websocket";
}

/**
 * Some HTTP clients offer another protocol with an ordinary request (Java offers h2c by default). A server that does not
 * support it responds as if there were no offer. Node passes such a request on with its body unread, so it is put back
 * into the connection without the offer.
 */
export function continueAsHttp(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const headers: string[] = [];
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const [name = "", value = ""] = request.rawHeaders.slice(at, at + 2);
    if (!["upgrade", "connection", "http2-settings"].includes(name.toLowerCase()))
      headers.push(`${name}: ${value}\r\n`);
  }
  if (/\bclose\b/i.test(request.headers.connection ?? "")) headers.push("Connection: close\r\n");
  const line = `${request.method} ${request.url} HTTP/${request.httpVersion}\r\n`;
  socket.unshift(Buffer.concat([Buffer.from(`${line}${headers.join("")}\r\n`, "latin1"), head]));
  server.emit("connection", socket);
}
