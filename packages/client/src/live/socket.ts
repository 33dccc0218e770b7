/** A WebSocket of any implementation. */
export interface Socket {
  /** From the response to the upgrade, where it can be read. */
  readonly traceId: string | undefined;
  /** Bytes in the send buffer. */
  readonly buffered: number;
  /** Text is sent as a text frame. */
  send(data: Uint8Array<ArrayBuffer> | string): void;
  /** Stops reading, which makes the server wait; undefined where that is not possible. */
  readonly pause: (() => void) | undefined;
  readonly resume: (() => void) | undefined;
  /** Starts the close handshake. */
  close(): void;
  /** Closes the socket at once. */
  destroy(): void;
}

export interface SocketEvents {
  message(data: Uint8Array | string): void;
  /** Called once, whichever side closed the socket. */
  closed(reason: string): void;
}

export interface SocketRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Resolves when the socket is open; `attach` is called just before, so that no message is missed.
 * Throws `ApiError` when the server refuses, `ConnectionError`, or the signal's reason.
 */
export type OpenSocket = (request: SocketRequest, attach: (socket: Socket) => SocketEvents) => Promise<void>;
