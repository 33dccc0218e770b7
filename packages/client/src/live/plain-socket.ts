import { ConnectionError } from "../http/connection.ts";
import type { OpenSocket } from "./socket.ts";

/** With the WebSocket of browsers: no headers, no reason for a refusal, and no way to let the server wait. */
export function plainSockets(PlainWebSocket: typeof WebSocket): OpenSocket {
  return ({ url, timeoutMs, signal }, attach) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const socket = new PlainWebSocket(url);
      socket.binaryType = "arraybuffer";
      const gaveUp = (error: unknown): void => {
        settled();
        reject(error);
        socket.onopen = null;
        socket.onclose = null;
        socket.close();
      };
      const onAbort = (): void => gaveUp(signal?.reason);
      const failed = (reason: string) => gaveUp(new ConnectionError(`WS ${url} failed: ${reason}`, undefined));
      const timer = setTimeout(() => failed(`no answer in ${timeoutMs} ms`), timeoutMs);
      const settled = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
        // From now on the close says it all. Not null: an error that nobody hears ends the process in some of them.
        socket.onerror = () => {};
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      const refused = () => failed("refused or not there; a WebSocket without headers is let in by its cookie only");
      // Some fire only one of the two.
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
          send: (bytes) => socket.send(bytes),
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
