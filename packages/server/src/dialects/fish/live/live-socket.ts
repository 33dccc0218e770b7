import { encodeLiveFrame, LIMITS, type ServerFrame } from "@parlance/protocol";
import { WebSocket } from "ws";
import { settlesWithin } from "../../../http/timeouts.ts";

export const CLOSE = {
  normal: 1000,
  goingAway: 1001,
  notBinary: 1003,
  undecodable: 1007,
  refused: 1008,
  tooLarge: 1009,
};

/** Why the library closes a socket, by its close code. */
export const FAULT_REASONS: Readonly<Record<number, string>> = {
  1002: "it is not a WebSocket frame",
  1007: "its text is not UTF-8",
  1008: `it comes in more than ${LIMITS.messageFragments} fragments`,
  1009: `it is over the limit of ${LIMITS.liveFrameBytes} bytes, or ${LIMITS.liveStartBytes} for a start`,
};

/** A client that has more unread bytes gets no pongs. */
const MAX_BUFFERED_BYTES = 64 * 1024;

export class LiveSocket extends WebSocket {
  /** Called before the library closes the socket because of an invalid frame, so that a last frame can be sent. */
  onFault: ((code: number) => void) | undefined;

  override close(code?: number, reason?: string | Buffer): void {
    const notify = this.onFault;
    this.onFault = undefined;
    if (code !== undefined && code in FAULT_REASONS && this.readyState === WebSocket.OPEN) notify?.(code);
    super.close(code, reason);
  }
}

/** Sends a pong for each ping, unless the client does not read. */
export function replyToPings(socket: LiveSocket): void {
  socket.on("ping", (data) => {
    if (socket.readyState === WebSocket.OPEN && socket.bufferedAmount < MAX_BUFFERED_BYTES)
      socket.pong(data, false, () => {});
  });
}

const MAX_PONG_MS = 1_000;
let pings = 0;

/**
 * Resolves when the peer has answered a ping, with whether it has. Call it right before a frame is sent: what arrives until then was sent
 * before the peer knew that frame. Called right after a frame, it resolves when the peer has read that frame. A peer
 * that answers no pings is given `maxMs`.
 */
export function whenAnswered(socket: LiveSocket, signal: AbortSignal, maxMs = MAX_PONG_MS): Promise<boolean> {
  const id = `barrier-${++pings}`;
  return new Promise((resolve) => {
    const settle = (answered: boolean): void => {
      clearTimeout(timer);
      socket.off("pong", onPong);
      signal.removeEventListener("abort", onAbort);
      resolve(answered);
    };
    const onPong = (data: Buffer): void => {
      if (data.toString("latin1") === id) settle(true);
    };
    const onAbort = (): void => settle(false);
    const timer = setTimeout(onAbort, maxMs);
    socket.on("pong", onPong);
    signal.addEventListener("abort", onAbort, { once: true });
    socket.ping(id, undefined, () => {});
  });
}

/** Without waiting: for the last frame before a close. */
export function sendNow(socket: LiveSocket, frame: ServerFrame): void {
  if (socket.readyState === WebSocket.OPEN) socket.send(encodeLiveFrame(frame), () => {});
}

export function send(
  socket: LiveSocket,
  frame: ServerFrame,
  signal: AbortSignal,
  readerTimeoutMs: number,
): Promise<void> {
  return sendData(socket, encodeLiveFrame(frame), signal, readerTimeoutMs);
}

/** Resolves when the bytes have left this process. A client that reads nothing for too long is disconnected. */
export async function sendData(
  socket: LiveSocket,
  data: Uint8Array | string,
  signal: AbortSignal,
  readerTimeoutMs: number,
): Promise<void> {
  const written = new Promise<void>((resolve) => {
    // A failure to write is followed by the socket's end, which aborts the signal.
    socket.send(data, () => resolve());
  });
  if (!(await settlesWithin(written, signal, readerTimeoutMs))) socket.terminate();
}
