import { once } from "node:events";
import { WebSocket } from "ws";
import { createArrivals } from "./arrivals.ts";

/** What a WebSocket has received, in order. */
export interface SocketReader<Message> {
  /** The next message, or the close code. */
  next(): Promise<Message | number>;
  /** All messages up to the close, and its code. */
  rest(): Promise<{ readonly messages: readonly Message[]; readonly code: number }>;
  close(): Promise<void>;
}

/** Resolves when the socket is open. Messages that `parse` does not know are left out. */
export async function readSocket<Message extends object>(
  socket: WebSocket,
  parse: (data: Buffer) => Message | undefined,
): Promise<SocketReader<Message>> {
  const { put, next } = createArrivals<Message | number>();
  socket.on("message", (data: Buffer) => {
    const message = parse(data);
    if (message !== undefined) put(message);
  });
  socket.on("close", put);
  await once(socket, "open");
  socket.on("error", () => {});
  return {
    next,
    async rest() {
      const messages: Message[] = [];
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
