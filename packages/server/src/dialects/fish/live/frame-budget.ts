import type { Duplex } from "node:stream";
import { apiError } from "@parlance/protocol";
import { CLOSE, type LiveSocket } from "./live-socket.ts";

export interface FrameBudgetOptions {
  readonly socketsPerAccount: number;
  readonly accountBytes?: number;
  readonly totalBytes?: number;
  readonly frameMs?: number;
}

/** Bounds the open sockets of an account, and the memory and time that unfinished frames take. */
export interface FrameBudget {
  /** Counts one more socket. Throws the 429 when the account has too many. */
  open(userId: string): SocketBudget;
}

export interface SocketBudget {
  /** Calls `onExceeded` at most once, with the close code and the reason. */
  watch(stream: Duplex, socket: WatchedSocket, onExceeded: (code: number, reason: string) => void): void;
  /** The socket is closed. Further calls have no effect. */
  release(): void;
}

export type WatchedSocket = Pick<LiveSocket, "on" | "isPaused">;

const MIB = 1024 * 1024;
/** The first bytes of each socket are not counted, so that no account can keep others from sending small frames. */
const UNCOUNTED_BYTES = 64 * 1024;
/** The header of a control frame from a client. */
const CONTROL_HEADER_BYTES = 6;

export function createFrameBudget({
  socketsPerAccount,
  accountBytes = 64 * MIB,
  totalBytes = 256 * MIB,
  frameMs = 30_000,
}: FrameBudgetOptions): FrameBudget {
  const accounts = new Map<string, { sockets: number; bytes: number }>();
  let total = 0;
  return {
    open(userId) {
      const account = accounts.get(userId) ?? { sockets: 0, bytes: 0 };
      if (account.sockets >= socketsPerAccount)
        throw apiError("too_many_sockets", { limit: socketsPerAccount }, { retryAfterSeconds: 5 });
      account.sockets += 1;
      accounts.set(userId, account);
      let isOpen = true;
      let deadline: NodeJS.Timeout | undefined;
      let unfinished = 0;
      let counted = 0;

      function setUnfinished(bytes: number): void {
        unfinished = Math.max(0, bytes);
        const change = Math.max(0, unfinished - UNCOUNTED_BYTES) - counted;
        counted += change;
        account.bytes += change;
        total += change;
        if (unfinished > 0) return;
        clearTimeout(deadline);
        deadline = undefined;
      }

      return {
        watch(stream, socket, onExceeded) {
          let isExceeded = false;
          const exceed = (code: number, reason: string): void => {
            if (isExceeded || !isOpen) return;
            isExceeded = true;
            onExceeded(code, reason);
            // What the client still sends would be buffered until the connection is closed.
            stream.pause();
          };
          const onDeadline = (): void => {
            // While the server does not read, the client cannot finish the frame.
            if (socket.isPaused) deadline = setTimeout(onDeadline, frameMs);
            else exceed(CLOSE.refused, `it was not complete within ${frameMs / 1000} s`);
          };
          // The library reports whole messages only, so the bytes are counted where they arrive.
          stream.on("data", (data: Buffer) => {
            if (!isOpen) return;
            setUnfinished(unfinished + data.length);
            deadline ??= setTimeout(onDeadline, frameMs);
            if (counted > 0 && (account.bytes > accountBytes || total > totalBytes))
              exceed(CLOSE.tooLarge, "unfinished frames take too much memory");
          });
          socket.on("message", () => setUnfinished(0));
          // A control frame may come between the fragments of a message, which stay unfinished.
          for (const event of ["ping", "pong"] as const)
            socket.on(event, (data: Buffer) => setUnfinished(unfinished - data.length - CONTROL_HEADER_BYTES));
        },
        release() {
          if (!isOpen) return;
          setUnfinished(0);
          isOpen = false;
          account.sockets -= 1;
          if (account.sockets === 0) accounts.delete(userId);
        },
      };
    },
  };
}
