import type { IncomingHttpHeaders } from "node:http";
import type { Duplex } from "node:stream";
import { type ApiError, apiError } from "@parlance/protocol";
import type { ActiveRequests } from "../../../http/active-requests.ts";
import { networkOf } from "../../../lib/network-of.ts";
import { createNetworkMatcher } from "../../../lib/trusted-networks.ts";
import { createFrameBudget, type SocketBudget } from "./frame-budget.ts";
import { CLOSE, FAULT_REASONS, type LiveSocket } from "./live-socket.ts";

/** How clients that cannot set headers, such as web pages, send their key. Values are those of an `Authorization` header. */
export interface LateKey {
  readonly inAddress: string | undefined;
  /** Undefined: the message has none. Throws when it cannot be read. */
  inMessage(data: Buffer): string | undefined;
  /** Sends the error in the dialect's form. */
  sendError(socket: LiveSocket, error: ApiError): void;
}

/** Bounds for sockets whose client is not known yet. `sockets` and `bytes` are those of one address. */
export const LATE_KEY_LIMITS = { sockets: 20, allSockets: 200, bytes: 256 * 1024, milliseconds: 10_000 };

/** How long a client that is refused may take to close its side. */
const CLOSE_TIMEOUT_MS = 1000;

export function hasCredentials({ authorization, "xi-api-key": key, cookie }: IncomingHttpHeaders): boolean {
  return authorization !== undefined || key !== undefined || cookie !== undefined;
}

/**
 * Counts sockets whose client is not known yet. One address has a tenth of them, so that it keeps no others out. Clients behind a
 * trusted proxy cannot be told apart here, and have all of them together.
 */
export function createUnknownCallers(
  maxMs: number,
  trustProxy: readonly string[] = [],
): { open(address: string | undefined): SocketBudget } {
  const { sockets, allSockets, bytes } = LATE_KEY_LIMITS;
  const ofAddress = createFrameBudget({ socketsPerAccount: sockets, accountBytes: bytes, frameMs: maxMs });
  const ofAll = createFrameBudget({ socketsPerAccount: allSockets, accountBytes: 10 * bytes, frameMs: maxMs });
  const isTrusted = createNetworkMatcher(trustProxy);
  return {
    open(address = "") {
      const all = ofAll.open("");
      if (address === "" || isTrusted(address)) return all;
      try {
        const own = ofAddress.open(networkOf(address));
        return {
          watch: own.watch,
          release() {
            own.release();
            all.release();
          },
        };
      } catch (error) {
        all.release();
        throw error;
      }
    },
  };
}

export interface FirstMessage {
  /** The key, as an `Authorization` header. */
  readonly authorization: string;
  /** Hands the messages that have arrived so far to the socket's listeners, in their order. */
  replay(): void;
}

/** Waits for the first message of a socket, which has the key. Rejects with the error to send when there is none. */
export async function receiveKey(
  socket: LiveSocket,
  stream: Duplex,
  budget: SocketBudget,
  activeRequests: Pick<ActiveRequests, "addConnection">,
  inMessage: LateKey["inMessage"],
  maxMs: number,
): Promise<FirstMessage> {
  const messages: (readonly [Buffer, boolean])[] = [];
  let cleanUp = (): void => {};
  let onMessage = (_data: Buffer, _isBinary: boolean): void => {};
  const key = new Promise<string>((resolve, reject) => {
    onMessage = (data, isBinary) => {
      messages.push([data, isBinary]);
      // Nothing else is read until the caller is known; a few messages may have been read already.
      socket.pause();
      if (messages.length > 1) return;
      try {
        const authorization = isBinary ? undefined : inMessage(data);
        if (authorization === undefined) throw apiError("missing_api_key", {});
        resolve(authorization);
      } catch (error) {
        reject(error);
      }
    };
    const onClose = (): void => reject(new Error("the client has disconnected"));
    const timer = setTimeout(() => reject(apiError("missing_api_key", {})), maxMs);
    const removeConnection = activeRequests.addConnection({
      drain: () => reject(apiError("draining", {})),
      terminate: () => socket.terminate(),
    });
    const onFault = (reason = "bad frame"): void => reject(apiError("unreadable_frame", { reason }));
    socket.onFault = (code) => onFault(FAULT_REASONS[code]);
    budget.watch(stream, socket, (_code, reason) => onFault(reason));
    // An error is always followed by the close.
    socket.on("error", () => {});
    socket.on("message", onMessage);
    socket.once("close", onClose);
    cleanUp = () => {
      clearTimeout(timer);
      removeConnection();
      budget.release();
      socket.onFault = undefined;
      socket.off("close", onClose);
    };
  });
  try {
    const authorization = await key;
    return {
      authorization,
      replay() {
        socket.off("message", onMessage);
        for (const [data, isBinary] of messages) socket.emit("message", data, isBinary);
        socket.resume();
      },
    };
  } finally {
    cleanUp();
  }
}

/** Closes a socket whose client may not use it. */
export function closeRefused(socket: LiveSocket): void {
  socket.resume();
  socket.close(CLOSE.refused);
  setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS).unref();
}
