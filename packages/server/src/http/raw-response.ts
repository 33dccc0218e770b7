import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

/** A connection that the client does not close is destroyed after this time. */
const CLOSE_TIMEOUT_MS = 1000;

/** Responds on a connection without a route (invalid HTTP, a refused WebSocket) and closes it. */
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
  const timer = setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS);
  socket.once("close", () => clearTimeout(timer));
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${lines.join("")}\r\n${json}`);
}
