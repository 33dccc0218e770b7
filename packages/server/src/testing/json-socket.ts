import { WebSocket } from "ws";
import { readSocket, type SocketReader } from "./socket-reader.ts";

export type JsonMessage = Readonly<Record<string, unknown>>;

/** A WebSocket client of messages in JSON. */
export interface JsonSocket extends SocketReader<JsonMessage> {
  readonly socket: WebSocket;
  send(...messages: readonly object[]): void;
}

export async function connectJson(
  url: string,
  headers: Readonly<Record<string, string>>,
  localAddress = "127.0.0.1",
): Promise<JsonSocket> {
  const socket = new WebSocket(url.replace(/^http/, "ws"), { headers, localAddress });
  return {
    socket,
    send(...messages) {
      for (const message of messages) socket.send(JSON.stringify(message));
    },
    ...(await readSocket<JsonMessage>(socket, (data) => JSON.parse(data.toString("utf8")))),
  };
}
