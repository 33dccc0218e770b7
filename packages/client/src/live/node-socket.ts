import type { IncomingMessage } from "node:http";
import { errorFromResponse, LIMITS, TRACE_ID_HEADER } from "@parlance/protocol";
import type { WebSocket } from "ws";
import { ConnectionError } from "../http/connection.ts";
import type { OpenSocket, Socket, SocketEvents } from "./socket.ts";

/** More than any refusal says. */
const MOST_REFUSAL_BYTES = 64 * 1024;

/** With the package `ws`: it sets headers, reads refusals, and can let the server wait. */
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
    const timer = setTimeout(() => failed(`no answer in ${timeoutMs} ms`), timeoutMs);
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
    // Stays for good: `close` follows and says the rest, but an error that nobody listens to would end the process.
    socket.on("error", (error) => {
      settled();
      failed(error.message, error);
    });
    socket.once("open", () => {
      settled();
      watch(socket, timeoutMs, attach(describe(socket, traceId)));
      resolve();
    });
  });
};

function describe(socket: WebSocket, traceId: string | undefined): Socket {
  return {
    traceId,
    get buffered() {
      return socket.bufferedAmount;
    },
    send: (bytes) => socket.send(bytes),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    close: () => socket.close(1000),
    destroy: () => socket.terminate(),
  };
}

/** Passes on what comes, and notices when the other side has vanished without a word. */
function watch(socket: WebSocket, timeoutMs: number, events: SocketEvents): void {
  const everyMs = timeoutMs / 3;
  let heardAt = performance.now();
  let lookedAt = heardAt;
  let fault = "";
  const heard = (): void => {
    heardAt = performance.now();
  };
  const beat = setInterval(() => {
    const now = performance.now();
    // While nothing is read, nothing can be heard either; nor while this process itself was away, for longer than a beat.
    if (socket.isPaused || now - lookedAt > 2 * everyMs) heard();
    lookedAt = now;
    if (now - heardAt >= timeoutMs) {
      fault = `nothing came for ${timeoutMs} ms`;
      socket.terminate();
    } else if (socket.readyState === socket.OPEN) socket.ping();
  }, everyMs);
  socket.on("ping", heard);
  socket.on("pong", heard);
  socket.on("message", (data: Buffer, isBinary) => {
    heard();
    events.message(isBinary ? data : data.toString());
  });
  socket.on("error", (error) => {
    fault = error.message;
  });
  socket.once("close", (code, reason) => {
    clearInterval(beat);
    events.closed(fault || [code, reason.toString()].filter((part) => part !== "").join(" "));
  });
}

function headerOf(response: IncomingMessage, name: string): string | null {
  const value = response.headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

/** Never fails: a refusal that breaks off is still one. */
async function readRefusal(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of response) {
      parts.push(part);
      size += part.length;
      if (size > MOST_REFUSAL_BYTES) break;
    }
  } catch {}
  return Buffer.concat(parts).toString("utf8");
}
