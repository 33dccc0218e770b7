import { decodeListenServerFrame, encodeMessagePack, LISTEN_PATH, type ListenServerFrame } from "@parlance/protocol";
import { WebSocket } from "ws";
import { readSocket, type SocketReader } from "./socket-reader.ts";
import { TEST_KEY } from "./test-server.ts";

/** A minimal client of WS /v1/asr/live. */
export interface ListenClient extends SocketReader<ListenServerFrame> {
  readonly socket: WebSocket;
  send(...frames: readonly unknown[]): void;
}

export async function connectListen(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<ListenClient> {
  const socket = new WebSocket(url.replace(/^http/, "ws") + LISTEN_PATH, {
    headers: { authorization: `Bearer ${TEST_KEY}`, ...headers },
  });
  return {
    socket,
    send(...frames) {
      for (const frame of frames) socket.send(frame instanceof Uint8Array ? frame : encodeMessagePack(frame));
    },
    ...(await readSocket(socket, decodeListenServerFrame)),
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
