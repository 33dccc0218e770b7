import { once } from "node:events";
import { type AddressInfo, createConnection, createServer, type Socket } from "node:net";
import { Transform, type TransformCallback } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";

/** How bytes travel, both ways. */
export interface LinkSpeed {
  readonly delayMs?: number;
  readonly bytesPerSecond?: number;
}

/** A network link between a client and a server that can be slow, silent or cut. */
export interface TcpProxy {
  readonly host: string;
  readonly port: number;
  /** For all connections, from now on. */
  setSpeed(speed: LinkSpeed): void;
  /** No byte passes any more, in no direction, but connections stay open. */
  stall(): void;
  /** Ends all connections and refuses new ones. */
  cut(): void;
  /** Fast again, also for the bytes that wait. */
  restore(): void;
  close(): Promise<void>;
}

const PIECE_BYTES = 4096;

export async function startTcpProxy(
  target: { readonly host?: string; readonly port: number },
  host = "127.0.0.1",
): Promise<TcpProxy> {
  let speed: LinkSpeed = {};
  let isCut = false;
  let stalled: { readonly passed: Promise<void>; pass(): void } | undefined;
  const sockets = new Set<Socket>();

  /** Delays do not add up: a byte that waits does not hold back the delay of those behind it. */
  const link = (): Transform => {
    let last = Promise.resolve();
    return new Transform({
      highWaterMark: 2 ** 20,
      transform(bytes: Buffer, _encoding, done: TransformCallback) {
        const arrives = sleep(speed.delayMs ?? 0);
        last = last.then(async () => {
          await arrives;
          for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
            const piece = bytes.subarray(at, at + PIECE_BYTES);
            if (speed.bytesPerSecond !== undefined) await sleep((1000 * piece.length) / speed.bytesPerSecond);
            await stalled?.passed;
            if (!this.destroyed) this.push(piece);
          }
        });
        if (speed.bytesPerSecond === undefined && stalled === undefined) done();
        else void last.then(() => done());
      },
      flush: (done) => void last.then(() => done()),
    });
  };
  const server = createServer((client) => {
    if (isCut) return void client.destroy();
    const upstream = createConnection({ host: target.host ?? "127.0.0.1", port: target.port });
    const [there, back] = [link(), link()];
    const end = (): void => {
      for (const part of [client, upstream, there, back]) part.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", end);
      socket.on("close", () => {
        sockets.delete(socket);
        end();
      });
    }
    client.pipe(there).pipe(upstream);
    upstream.pipe(back).pipe(client);
  });
  server.listen(0, host);
  await once(server, "listening");
  const endAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const restore = (): void => {
    speed = {};
    isCut = false;
    stalled?.pass();
    stalled = undefined;
  };
  return {
    host,
    port: (server.address() as AddressInfo).port,
    setSpeed(next) {
      speed = next;
    },
    stall() {
      if (stalled !== undefined) return;
      let pass = (): void => {};
      const passed = new Promise<void>((resolve) => {
        pass = resolve;
      });
      stalled = { passed, pass };
    },
    cut() {
      isCut = true;
      endAll();
    },
    restore,
    async close() {
      restore();
      endAll();
      server.close();
      await once(server, "close");
    },
  };
}
