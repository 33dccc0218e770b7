import { ConnectionError } from "../http/connection.ts";
import type { OpenSocket } from "./socket.ts";

/** Uses the WebSocket of browsers: no headers, no reason for a refusal, no way to pause it. */
export function plainSockets(PlainWebSocket: typeof WebSocket): OpenSocket {
  return ({ url, timeoutMs, signal }, attach) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const socket = new PlainWebSocket(url);
      socket.binaryType = "arraybuffer";
      const giveUp = (error: unknown): void => {
        settled();
        reject(error);
        socket.onopen = null;
        socket.onclose = null;
        socket.close();
      };
      const onAbort = (): void => giveUp(signal?.reason);
      const failed = (reason: string) => giveUp(new ConnectionError(`WS ${url} failed: ${reason}`, undefined));
      const timer = setTimeout(() => failed(`no response in ${timeoutMs} ms`), timeoutMs);
      const settled = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
        // `onclose` reports the reason. Not null: in some implementations an unhandled error ends the process.
        socket.onerror = () => {};
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      const refused = () => failed("refused or not reachable; a WebSocket without headers needs a session cookie");
      // Some implementations fire only one of the two.
      socket.onclose = refused;
      socket.onerror = refused;
      socket.onopen = () => {
        settled();
        let destroyed = false;
        const events = attach({
          traceId: undefined,
          get buffered() {
            return socket.bufferedAmount;
          },
          send: (data) => socket.send(data),
          pause: undefined,
          resume: undefined,
          close: () => socket.close(1000),
          destroy() {
            destroyed = true;
            socket.close();
          },
        });
        socket.onmessage = ({ data }) => {
          if (!destroyed) events.message(data instanceof ArrayBuffer ? new Uint8Array(data) : String(data));
        };
        socket.onclose = ({ code, reason }) => events.closed(reason === "" ? String(code) : `${code} ${reason}`);
        resolve();
      };
    });
}
