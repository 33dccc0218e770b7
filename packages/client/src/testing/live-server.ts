import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { TestContext } from "node:test";
import { type ClientFrame, decodeClientFrame, encodeLiveFrame, type ServerFrame } from "@parlance/protocol";
import { type WebSocket, WebSocketServer } from "ws";
import { Parlance, type ParlanceOptions } from "../index.ts";

/** One socket on the side of the server. */
export interface ServerSocket {
  readonly socket: WebSocket;
  readonly request: IncomingMessage;
  /** All frames that the client has sent. */
  readonly frames: ClientFrame[];
  send(frame: ServerFrame): Promise<void>;
  audio(...bytes: number[]): Promise<void>;
  finish(): Promise<void>;
}

export interface LiveServer {
  readonly client: Parlance;
  readonly callers: ServerSocket[];
}

/** A WebSocket server that a test controls. */
export async function liveServer(
  context: TestContext,
  onFrame: (frame: ClientFrame, caller: ServerSocket) => unknown,
  options: Partial<ParlanceOptions> & {
    refuse?: (socket: Duplex) => void;
    onOpen?: (caller: ServerSocket) => void;
  } = {},
): Promise<LiveServer> {
  const callers: ServerSocket[] = [];
  const http = createServer((_request, response) => response.writeHead(404).end());
  const { refuse, onOpen, ...clientOptions } = options;
  const sockets = new WebSocketServer({ noServer: true });
  http.on("upgrade", (request, socket, head) => {
    if (refuse) return refuse(socket);
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const send = (frame: ServerFrame) =>
        new Promise<void>((resolve) => webSocket.send(encodeLiveFrame(frame), () => resolve()));
      const caller: ServerSocket = {
        socket: webSocket,
        request,
        frames: [],
        send,
        audio: (...bytes) => send({ event: "audio", audio: Uint8Array.from(bytes), time: 7 }),
        finish: () => send({ event: "finish", reason: "stop" }),
      };
      callers.push(caller);
      onOpen?.(caller);
      webSocket.on("error", () => {});
      webSocket.on("message", (data: Buffer) => {
        const frame = decodeClientFrame(data);
        if (frame === undefined) return;
        caller.frames.push(frame);
        onFrame(frame, caller);
      });
    });
  });
  sockets.on("headers", (headers) => headers.push("x-trace-id: the-trace"));
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  context.after(() => {
    for (const { socket } of callers) socket.terminate();
    http.closeAllConnections();
    http.close();
  });
  const { port } = http.address() as AddressInfo;
  const client = new Parlance({ baseUrl: `http://127.0.0.1:${port}/`, apiKey: "the-key", ...clientOptions });
  return { client, callers };
}

/** Collects the audio into `bytes`, also when the round fails later. */
export async function bytesOf(
  session: AsyncIterable<{ readonly audio: Uint8Array }>,
  bytes: number[] = [],
): Promise<number[]> {
  for await (const { audio } of session) bytes.push(...audio);
  return bytes;
}
