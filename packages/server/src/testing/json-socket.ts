import { once } from "node:events";
import { WebSocket } from "ws";
import { createArrivals } from "./arrivals.ts";

export type JsonMessage = Readonly<Record<string, unknown>>;

/** A WebSocket client of messages in JSON. */
export interface JsonSocket {
  readonly socket: WebSocket;
  send(...messages: readonly object[]): void;
  /** The next message, or the close code. */
  next(): Promise<JsonMessage | number>;
  /** All messages up to the close. */
  rest(): Promise<{ readonly messages: readonly JsonMessage[]; readonly code: number }>;
  close(): Promise<void>;
}

export async function connectJson(url: string, headers: Readonly<Record<string, string>>): Promise<JsonSocket> {
  const socket = new WebSocket(url.replace(/^http/, "ws"), { headers });
  const { put, next } = createArrivals<JsonMessage | number>();
  socket.on("message", (data: Buffer) => put(JSON.parse(data.toString("utf8"))));
  socket.on("close", put);
  await once(socket, "open");
  socket.on("error", () => {});
  return {
    socket,
    send(...messages) {
      for (const message of messages) socket.send(JSON.stringify(message));
    },
    next,
    async rest() {
      const messages: JsonMessage[] = [];
      for (;;) {
        const item = await next();
        if (typeof item === "number") return { messages, code: item };
        messages.push(item);
      }
    },
    async close() {
      if (socket.readyState === WebSocket.CLOSED) return;
      socket.close();
      await once(socket, "close");
    },
  };
}
