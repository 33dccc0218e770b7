import assert from "node:assert/strict";
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { Duplex } from "node:stream";
import { it } from "node:test";
import { WebSocketServer } from "ws";
import { until } from "../../../testing/until.ts";
import { LiveSocket, replyToPings } from "./live-socket.ts";

/** A socket whose peer never reads, so that all output stays buffered. */
async function withDeafPeer() {
  const stream = new Duplex({ read() {}, write() {} });
  const request = new IncomingMessage(new Socket());
  Object.assign(request, {
    method: "GET",
    headers: {
      upgrade: "websocket",
      "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
      "sec-websocket-version": "13",
    },
  });
  const server = new WebSocketServer({ noServer: true, WebSocket: LiveSocket, autoPong: false });
  const socket = await new Promise<LiveSocket>((resolve) => {
    server.handleUpgrade(request, stream, Buffer.alloc(0), resolve);
  });
  return { stream, socket };
}

/** A ping of 125 bytes as a client sends it: masked, here with zeros. */
const PING = Buffer.concat([Buffer.of(0x89, 0x80 | 125, 0, 0, 0, 0), Buffer.alloc(125)]);

it("does not buffer pongs for a client that pings and never reads", async () => {
  const { stream, socket } = await withDeafPeer();
  replyToPings(socket);
  let pings = 0;
  socket.on("ping", () => {
    pings += 1;
  });
  for (let i = 0; i < 10_000; i += 1) stream.push(PING);
  await until(() => pings === 10_000);
  assert.ok(socket.bufferedAmount > 50_000 && socket.bufferedAmount < 70_000, `${socket.bufferedAmount} bytes wait`);
  socket.terminate();
});
