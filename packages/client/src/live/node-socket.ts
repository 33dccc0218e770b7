import type { IncomingMessage } from "node:http";
import { errorFromResponse, LIMITS, TRACE_ID_HEADER } from "@parlance/protocol";
import type { WebSocket } from "ws";
import { ConnectionError } from "../http/connection.ts";
import type { OpenSocket, Socket, SocketEvents } from "./socket.ts";

/** The limit of the body of a refusal that is read. */
const MAX_REFUSAL_BYTES = 64 * 1024;

/** Uses the package `ws`: it sets headers, reads the body of a refusal, and can pause the socket. */
export const openNodeSocket: OpenSocket = async ({ url, headers, timeoutMs, signal }, attach) => {
  const { WebSocket } = await import("ws");
  signal?.throwIfAborted();
  const options = { headers, maxPayload: LIMITS.liveFrameBytes, perMessageDeflate: false };
  const socket = new WebSocket(url, options);
  let traceId: string | undefined;
  await new Promise<void>((resolve, reject) => {
    const failed = (reason: string, cause?: unknown): void => {
      reject(new ConnectionError(`WS ${url} failed: ${reason}`, cause));
      socket.terminate();
    };
    const onAbort = (): void => {
      reject(signal?.reason);
      socket.terminate();
    };
    const timer = setTimeout(() => failed(`no response in ${timeoutMs} ms`), timeoutMs);
    const settled = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    socket.once("upgrade", (response) => {
      traceId = headerOf(response, TRACE_ID_HEADER) ?? undefined;
    });
    socket.once("unexpected-response", (request, response) => {
      readRefusal(response).then((body) => {
        const status = response.statusCode ?? 500;
        reject(errorFromResponse(status, (name) => headerOf(response, name), body));
        request.destroy();
        settled();
      });
    });
    // Never removed: `close` follows and has the reason, but an error without a listener would end the process.
    socket.on("error", (error) => {
      settled();
      failed(error.message, error);
    });
    socket.once("open", () => {
      settled();
      watch(socket, timeoutMs, attach(toSocket(socket, traceId)));
      resolve();
    });
  });
};

function toSocket(socket: WebSocket, traceId: string | undefined): Socket {
  return {
    traceId,
    get buffered() {
      return socket.bufferedAmount;
    },
    send: (data) => socket.send(data),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    close: () => socket.close(1000),
    destroy: () => socket.terminate(),
  };
}

/** Forwards messages, and closes the socket when the server has stopped responding to pings. */
function watch(socket: WebSocket, timeoutMs: number, events: SocketEvents): void {
  const intervalMs = timeoutMs / 3;
  let receivedAt = performance.now();
  let checkedAt = receivedAt;
  let fault = "";
  const onReceived = (): void => {
    receivedAt = performance.now();
  };
  const heartbeat = setInterval(() => {
    const now = performance.now();
    // Nothing is received while the socket is paused, nor while this process was suspended.
    if (socket.isPaused || now - checkedAt > 2 * intervalMs) onReceived();
    checkedAt = now;
    if (now - receivedAt >= timeoutMs) {
      fault = `nothing received for ${timeoutMs} ms`;
      socket.terminate();
    } else if (socket.readyState === socket.OPEN) socket.ping();
  }, intervalMs);
  socket.on("ping", onReceived);
  socket.on("pong", onReceived);
  socket.on("message", (data: Buffer, isBinary) => {
    onReceived();
    events.message(isBinary ? data : data.toString());
  });
  socket.on("error", (error) => {
    fault = error.message;
  });
  socket.once("close", (code, reason) => {
    clearInterval(heartbeat);
    events.closed(fault || [code, reason.toString()].filter((part) => part !== "").join(" "));
  });
}

function headerOf(response: IncomingMessage, name: string): string | null {
  const value = response.headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

/** Never fails: a refusal whose body breaks off is still a refusal. */
async function readRefusal(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of response) {
      parts.push(part);
      size += part.length;
      if (size > MAX_REFUSAL_BYTES) break;
    }
  } catch {}
  return Buffer.concat(parts).toString("utf8");
}
