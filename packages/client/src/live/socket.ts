/** A WebSocket, whoever made it. */
export interface Socket {
  /** Of the answer to the upgrade, where it can be read. */
  readonly traceId: string | undefined;
  /** Bytes that were sent and have not left yet. */
  readonly buffered: number;
  send(bytes: Uint8Array<ArrayBuffer>): void;
  /** Stops reading, so that the server has to wait; undefined where that is not possible. */
  readonly pause: (() => void) | undefined;
  readonly resume: (() => void) | undefined;
  /** Says goodbye. */
  close(): void;
  /** Is gone at once. */
  destroy(): void;
}

export interface SocketEvents {
  message(data: Uint8Array | string): void;
  /** Once, whoever ended it and however. */
  closed(reason: string): void;
}

export interface SocketRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Resolves when the socket is open; `attach` is called just before, so that nothing that comes is missed.
 * Throws `ApiError` when the server refuses, `ConnectionError`, or the signal's reason.
 */
export type OpenSocket = (request: SocketRequest, attach: (socket: Socket) => SocketEvents) => Promise<void>;
