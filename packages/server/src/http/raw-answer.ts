import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

/** An answer on a connection that no route has: what is not HTTP, and what does not become a WebSocket. Closes it. */
export function answerRaw(
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
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${lines.join("")}\r\n${json}`);
}
