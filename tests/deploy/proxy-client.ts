import { on, once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { decodeServerFrame, encodeMessagePack, LIVE_PATH } from "@parlance/protocol";
import { WebSocket } from "ws";
import type { ReverseProxy } from "./proxy.ts";

/** An address of this machine that is not the proxy's, so that the two can be distinguished. */
export const clientAddress = "127.0.0.9";

export interface Call {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Whether this is the end of the body. */
  readonly end?: boolean;
}

/** Sends a request through a proxy. Resolves with the header of the response; its body can still be read. */
export async function call(
  { url, ca }: ReverseProxy,
  { method = "POST", path, headers, body, end = true }: Call,
): Promise<IncomingMessage> {
  const sent = request(url + path, { method, ca, localAddress: clientAddress, agent: false, headers: { ...headers } });
  sent.on("error", () => {});
  if (body !== undefined) sent.write(body);
  if (end) sent.end();
  else sent.flushHeaders();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return response;
}

export async function bodyOf(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

export interface LiveSocket {
  send(...frames: readonly unknown[]): void;
  /** The next frame of the service. */
  next(): Promise<ReturnType<typeof decodeServerFrame>>;
  close(): void;
}

export async function openLive(
  { url, ca }: ReverseProxy,
  headers: Readonly<Record<string, string>>,
): Promise<LiveSocket> {
  const socket = new WebSocket(url.replace("https", "wss") + LIVE_PATH, { ca, headers: { ...headers } });
  const messages = on(socket, "message", { close: ["close"] });
  await once(socket, "open");
  return {
    send: (...all) => {
      for (const frame of all) socket.send(encodeMessagePack(frame));
    },
    async next() {
      const { value, done } = await messages.next();
      if (done) throw new Error("the socket was closed");
      return decodeServerFrame(value[0]);
    },
    close: () => socket.terminate(),
  };
}
