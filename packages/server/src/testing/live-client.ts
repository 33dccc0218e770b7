import { once } from "node:events";
import { type AudioFrame, decodeServerFrame, encodeMessagePack, type FinishFrame, LIVE_PATH } from "@parlance/protocol";
import { WebSocket } from "ws";
import { readSocket, type SocketReader } from "./socket-reader.ts";
import { TEST_KEY } from "./test-server.ts";

export interface LiveClient extends SocketReader<AudioFrame | FinishFrame> {
  readonly socket: WebSocket;
  /** The headers of the 101. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  send(...frames: readonly unknown[]): void;
  /** Everything up to the next `finish`. Throws when the socket closes before it. */
  round(): Promise<LiveRound>;
}

export interface LiveRound {
  readonly frames: readonly AudioFrame[];
  readonly audio: Buffer;
  readonly finish: FinishFrame;
}

export interface LiveConnect {
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** False: answers no pings. */
  readonly autoPong?: boolean;
}

/** A minimal WebSocket client with MessagePack frames. */
export async function connectLive(
  url: string,
  { path = LIVE_PATH, headers = {}, autoPong = true }: LiveConnect = {},
): Promise<LiveClient> {
  const all = { authorization: `Bearer ${TEST_KEY}`, model: "s2-pro", ...headers };
  const socket = new WebSocket(url.replace(/^http/, "ws") + path, {
    autoPong,
    headers: Object.fromEntries(Object.entries(all).filter((entry) => entry[1] !== undefined)),
  });
  const upgraded = once(socket, "upgrade");
  // A failed upgrade also rejects the wait for `open` below.
  upgraded.catch(() => {});
  const reader = await readSocket(socket, (data) => {
    const frame = decodeServerFrame(data);
    return frame?.event === "audio" || frame?.event === "finish" ? frame : undefined;
  });
  const [response] = await upgraded;
  return {
    socket,
    headers: response.headers,
    send(...frames) {
      for (const frame of frames) socket.send(encodeMessagePack(frame));
    },
    ...reader,
    async round() {
      const frames: AudioFrame[] = [];
      for (;;) {
        const item = await reader.next();
        if (typeof item === "number") throw new Error(`the socket closed with ${item}`);
        if (item.event === "finish") {
          return { frames, audio: Buffer.concat(frames.map((frame) => frame.audio)), finish: item };
        }
        frames.push(item);
      }
    },
  };
}
