import type { Socket } from "node:net";

/** Reads a socket one chunk ahead, so that its end is noticed while a chunk is being handled. */
export interface SocketReader {
  /** Undefined when the client sends no more, or the connection is lost. */
  next(): Promise<Buffer | undefined>;
  /** Drops everything from now on. Unread bytes would make the system reset the connection. */
  discard(): void;
}

export function createSocketReader(socket: Socket): SocketReader {
  let waiting: Buffer[] = [];
  let isEnded = false;
  let isDiscarding = false;
  let wake = (): void => {};
  const end = (): void => {
    isEnded = true;
    wake();
  };
  socket.on("data", (chunk: Buffer) => {
    if (isDiscarding) return;
    waiting.push(chunk);
    socket.pause();
    wake();
  });
  socket.once("end", end);
  socket.once("close", end);
  return {
    async next() {
      while (waiting.length === 0 && !isEnded) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const chunk = waiting.shift();
      socket.resume();
      return chunk;
    },
    discard() {
      isDiscarding = true;
      waiting = [];
      socket.resume();
    },
  };
}
