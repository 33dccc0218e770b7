import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

/** A peer that does not close its side loses the connection after this long. */
const CLOSE_TIMEOUT_MS = 1000;

/** An answer on a connection that no route has: what is not HTTP, and what does not become a WebSocket. Closes it. */
export function sendRawResponse(
  socket: Duplex,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: unknown,
  reason = STATUS_CODES[status] ?? "",
): void {
  const json = JSON.stringify(body);
  const all = {
    ...headers,
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(json)),
    connection: "close",
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const linger = setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS);
  socket.once("close", () => clearTimeout(linger));
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${lines.join("")}\r\n${json}`);
}
