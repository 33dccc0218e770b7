import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { encodeMessagePack, LIVE_PATH } from "@parlance/protocol";
import { WebSocket } from "ws";
import { type Attack, collectResults, type Target } from "./attack.ts";

interface Flood {
  readonly name: string;
  readonly frames: readonly (Uint8Array | "ping")[];
}

const start = (request: object = { format: "pcm" }): Uint8Array => encodeMessagePack({ event: "start", request });
const text = (value: string): Uint8Array => encodeMessagePack({ event: "text", text: value });
const flush = encodeMessagePack({ event: "flush" });
const stop = encodeMessagePack({ event: "stop" });

const FLOODS: readonly Flood[] = [
  { name: "start", frames: [start()] },
  { name: "start with a text", frames: [start({ text: "One. Two.", format: "pcm" })] },
  { name: "start with a wrong voice", frames: [start({ reference_id: "no such voice" })] },
  { name: "start with wrong fields", frames: [start({ references: [{}, {}], format: 1, latency: [] })] },
  { name: "start, stop", frames: [start(), stop] },
  { name: "text without a start", frames: [text("a")] },
  { name: "flush without a start", frames: [flush] },
  { name: "stop without a start", frames: [stop] },
  { name: "start, text, flush", frames: [start(), text("a"), flush] },
  { name: "unknown event", frames: [encodeMessagePack({ event: "nothing" })] },
  { name: "unreadable bytes", frames: [new Uint8Array([0xc1])] },
  { name: "empty frame", frames: [new Uint8Array(0)] },
  { name: "ping", frames: ["ping"] },
];

/** The same frames over and over on one socket, as fast as they can be written. */
export function frameFloods(count: number): readonly Attack[] {
  return FLOODS.map(({ name, frames }) => ({
    name: `live: ${count} × ${name}`,
    async run(target: Target, signal: AbortSignal) {
      const socket = openSocket(target);
      let largest = 0;
      socket.on("message", (data: Buffer) => {
        largest = Math.max(largest, data.length);
      });
      const closed = new Promise<number>((resolve) => socket.on("close", resolve));
      signal.addEventListener("abort", () => socket.terminate(), { once: true });
      try {
        await once(socket, "open", { signal });
        for (let sent = 0; sent < count && socket.readyState === WebSocket.OPEN; sent += 1) {
          for (const frame of frames) {
            if (frame === "ping") socket.ping();
            else socket.send(frame);
          }
          if (sent % 500 === 499) await new Promise(setImmediate);
        }
        socket.close(1000);
      } catch {
        socket.terminate();
      }
      return { ...collectResults([{ status: await closed, bytes: 0 }]), largestResponseBytes: largest };
    },
  }));
}

/** Sockets that each announce the largest frame and send all but its end, after one empty round. */
export function unfinishedFrames(count: number, bytes: number): Attack {
  return {
    name: `live: ${count} sockets with ${Math.round(bytes / 2 ** 20)} MiB of an unfinished frame each`,
    async run(target, signal) {
      const sockets = await Promise.all(Array.from({ length: count }, () => rawSocket(target, signal)));
      const held = sockets.filter((socket): socket is Socket => socket !== undefined);
      for (const socket of held) {
        socket.write(Buffer.concat([masked(start()), masked(stop)]));
        const header = Buffer.alloc(14);
        header[0] = 0x82;
        header[1] = 0x80 | 127;
        header.writeBigUInt64BE(BigInt(bytes + 1), 2);
        socket.write(header);
        socket.write(Buffer.alloc(bytes));
      }
      await pause(3000, signal);
      for (const socket of held) socket.destroy();
      return { statuses: { held: held.length, refused: count - held.length }, largestResponseBytes: 0 };
    },
  };
}

/** Of one address; more would reach the bound of connections for one. */
const PER_ADDRESS = 500;

/** Sockets that send nothing at all, from several addresses of this machine. */
export function idleSockets(count: number): Attack {
  return {
    name: `live: ${count} idle sockets`,
    async run(target, signal) {
      const opened = await Promise.all(
        Array.from({ length: count }, (_, index) =>
          rawSocket(target, signal, `127.0.0.${2 + Math.floor(index / PER_ADDRESS)}`),
        ),
      );
      const held = opened.filter((socket): socket is Socket => socket !== undefined);
      await pause(1000, signal);
      for (const socket of held) socket.destroy();
      return { statuses: { held: held.length, refused: count - held.length }, largestResponseBytes: 0 };
    },
  };
}

/** One message in as many one-byte fragments as the peer takes. */
export function fragments(count: number): Attack {
  return {
    name: `live: a frame in ${count} fragments`,
    async run(target, signal) {
      const socket = await rawSocket(target, signal);
      if (socket === undefined) return { statuses: { refused: 1 }, largestResponseBytes: 0 };
      const closed = once(socket, "close").catch(() => {});
      socket.write(Buffer.from([0x02, 0x81, 0, 0, 0, 0, 0x81]));
      const piece = Buffer.from([0x00, 0x81, 0, 0, 0, 0, 0xc0]);
      for (let sent = 0; sent < count && !socket.destroyed; sent += 1000) {
        socket.write(Buffer.concat(Array.from({ length: 1000 }, () => piece)));
        await new Promise(setImmediate);
      }
      await Promise.race([closed, pause(1000, signal)]);
      const status = socket.destroyed ? "closed" : "open";
      socket.destroy();
      return { statuses: { [status]: 1 }, largestResponseBytes: 0 };
    },
  };
}

function openSocket({ url, key }: Target): WebSocket {
  const socket = new WebSocket(url.replace(/^http/, "ws") + LIVE_PATH, {
    headers: { authorization: `Bearer ${key}`, model: "s2-pro" },
  });
  socket.on("error", () => {});
  return socket;
}

/** An upgraded connection for bytes that no client library would send; undefined where the upgrade was refused. */
async function rawSocket(
  { url, key }: Target,
  signal: AbortSignal,
  localAddress = "127.0.0.1",
): Promise<Socket | undefined> {
  const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", localAddress });
  socket.on("error", () => {});
  socket.write(
    `GET ${LIVE_PATH} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
      `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nAuthorization: Bearer ${key}\r\nmodel: s2-pro\r\n\r\n`,
  );
  try {
    const [head] = (await once(socket, "data", { signal })) as [Buffer];
    if (head.toString("latin1").startsWith("HTTP/1.1 101")) return socket;
  } catch {
    // A connection that was cut is a refusal too.
  }
  socket.destroy();
  return undefined;
}

/** A binary frame below 126 bytes, masked with zeros. */
function masked(payload: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([0x82, 0x80 | payload.length, 0, 0, 0, 0]), payload]);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}
