import { type ApiError, apiError } from "@parlance/protocol";
import { CLOSE, FAULT_REASONS, type LiveSocket } from "./live-socket.ts";
import type { SessionOptions, SessionParts } from "./session-parts.ts";

/** How a socket ends: by the client, the session on it, a bad frame, a disabled account or the shutdown. */
export interface SocketClosing {
  /** Aborted when the socket closes. */
  readonly signal: AbortSignal;
  close(code: number): void;
  /** Closes after the error was sent. */
  fail(code: number, error: ApiError): void;
}

export interface ClosingHandlers {
  /** Called once, before the close. */
  readonly onEnd: (reason: Error) => void;
  /** The shutdown has started: close as soon as nothing is running. */
  readonly drain: () => void;
  /** Sends the last message without waiting for it. */
  readonly sendError: (error: ApiError) => void;
}

/** How long a client may take to close its side. */
const CLOSE_TIMEOUT_MS = 1000;

export function watchClosing(
  socket: LiveSocket,
  { activeRequests, disabledAccounts }: Pick<SessionParts, "activeRequests" | "disabledAccounts">,
  { caller, budget, stream }: Pick<SessionOptions, "caller" | "budget" | "stream">,
  { onEnd, drain, sendError }: ClosingHandlers,
): SocketClosing {
  const ended = new AbortController();
  const { signal } = ended;

  function end(message: string): void {
    if (signal.aborted) return;
    const reason = new Error(message);
    ended.abort(reason);
    onEnd(reason);
  }

  function close(code: number): void {
    if (signal.aborted) return;
    end("the socket is closing");
    // Frames that still arrive are read and dropped, up to the close frame.
    socket.resume();
    socket.onFault = undefined;
    socket.close(code);
  }

  function fail(code: number, error: ApiError): void {
    if (signal.aborted) return;
    sendError(error);
    close(code);
  }

  /** Closes without waiting for the client. */
  function terminate(code: number, error: ApiError): void {
    fail(code, error);
    setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS).unref();
  }

  const removeConnection = activeRequests.addConnection({
    drain,
    terminate: () => terminate(CLOSE.goingAway, apiError("draining", {})),
  });
  const unwatch = disabledAccounts.watch(caller.userId, () =>
    terminate(CLOSE.refused, apiError("account_disabled", {})),
  );
  socket.onFault = (code) => fail(code, apiError("unreadable_frame", { reason: FAULT_REASONS[code] ?? "bad frame" }));
  budget.watch(stream, socket, (code, reason) => terminate(code, apiError("unreadable_frame", { reason })));
  // An error is always followed by the close.
  socket.on("error", () => {});
  socket.once("close", () => {
    end("the client has disconnected");
    removeConnection();
    unwatch();
  });
  return { signal, close, fail };
}
