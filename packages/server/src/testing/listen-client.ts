import { once } from "node:events";
import { decodeListenServerFrame, encodeMessagePack, LISTEN_PATH, type ListenServerFrame } from "@parlance/protocol";
import { WebSocket } from "ws";
import { createArrivals } from "./arrivals.ts";
import { TEST_KEY } from "./test-server.ts";

/** A minimal client of WS /v1/asr/live. */
export interface ListenClient {
  readonly socket: WebSocket;
  send(...frames: readonly unknown[]): void;
  /** The next frame, or the close code. */
  next(): Promise<ListenServerFrame | number>;
  /** All frames up to the close, and its code. */
  rest(): Promise<{ readonly frames: readonly ListenServerFrame[]; readonly code: number }>;
  close(): Promise<void>;
}

export async function connectListen(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<ListenClient> {
  const socket = new WebSocket(url.replace(/^http/, "ws") + LISTEN_PATH, {
    headers: { authorization: `Bearer ${TEST_KEY}`, ...headers },
  });
  const { put, next } = createArrivals<ListenServerFrame | number>();
  socket.on("message", (data: Buffer) => {
    const frame = decodeListenServerFrame(data);
    if (frame !== undefined) put(frame);
  });
  socket.on("close", put);
  await once(socket, "open");
  socket.on("error", () => {});
  return {
    socket,
    send(...frames) {
      for (const frame of frames) socket.send(frame instanceof Uint8Array ? frame : encodeMessagePack(frame));
    },
    next,
    async rest() {
      const frames: ListenServerFrame[] = [];
      for (;;) {
        const item = await next();
        if (typeof item === "number") return { frames, code: item };
        frames.push(item);
      }
    },
    async close() {
      if (socket.readyState === WebSocket.CLOSED) return;
      socket.close();
      await once(socket, "close");
    },
  };
}

/** The frames of audio, of 100 ms each. */
export function audioFrames(
  samples: Int16Array,
  size = 1600,
): { readonly event: "audio"; readonly audio: Uint8Array }[] {
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  return Array.from({ length: Math.ceil(samples.length / size) }, (_, index) => ({
    event: "audio",
    audio: bytes.slice(2 * size * index, 2 * size * (index + 1)),
  }));
}
