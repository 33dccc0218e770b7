import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";

export function isWebSocketUpgrade(request: IncomingMessage): boolean {
  return request.headers.upgrade?.toLowerCase() === "websocket";
}

/**
 * Some HTTP clients offer another protocol with an ordinary request (Java's asks for h2c by default). Who does not speak
 * it answers as if nothing had been offered. Node leaves such a request to us with its body unread, so it is given back
 * to the server as a new one, without the offer.
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
