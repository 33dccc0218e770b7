import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { connect } from "node:net";
import { PassThrough } from "node:stream";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { encodeMessagePack, LIMITS } from "@parlance/protocol";
import type { WebSocket } from "ws";
import { connectLive } from "../../../testing/live-client.ts";
import { startTestServer, TEST_KEY } from "../../../testing/test-server.ts";
import { createFrameBudget, type FrameBudget, type WatchedSocket } from "./frame-budget.ts";

const KIB = 1024;

/** A socket whose events the test emits. */
function openSocket(budget: FrameBudget, userId = "ada") {
  const socket = Object.assign(new EventEmitter(), { isPaused: false });
  const stream = new PassThrough();
  const exceeded: string[] = [];
  const held = budget.open(userId);
  held.watch(stream, socket as unknown as WatchedSocket, (code, reason) => exceeded.push(`${code} ${reason}`));
  return {
    socket,
    exceeded,
    receive: (bytes: number) => stream.emit("data", Buffer.alloc(bytes)),
    close: () => held.release(),
  };
}

describe("the budget of unfinished frames", () => {
  it("refuses an account's sockets over the limit with 429, and frees each once", () => {
    const budget = createFrameBudget({ socketsPerAccount: 2 });
    const first = openSocket(budget);
    openSocket(budget);
    assert.throws(() => budget.open("ada"), { code: "too_many_sockets", status: 429, retryAfterSeconds: 5 });
    budget.open("grace").release();
    first.close();
    first.close();
    openSocket(budget);
    assert.throws(() => budget.open("ada"), { code: "too_many_sockets" });
  });

  it("bounds the bytes of an account and of all accounts, and releases them with the socket", () => {
    const options = { socketsPerAccount: 9, accountBytes: 300 * KIB, totalBytes: 400 * KIB };
    const budget = createFrameBudget(options);
    const [one, two, other] = [openSocket(budget), openSocket(budget), openSocket(budget, "grace")];
    one.receive(264 * KIB);
    two.receive(164 * KIB);
    assert.deepEqual([one.exceeded, two.exceeded], [[], []]);
    two.receive(1);
    assert.deepEqual(two.exceeded, ["1009 unfinished frames take too much memory"]);
    other.receive(164 * KIB);
    assert.deepEqual(other.exceeded.length, 1, "all accounts together");
    for (const { close } of [one, two, other]) close();
    const next = openSocket(budget);
    next.receive(264 * KIB);
    assert.deepEqual(next.exceeded, []);
    next.close();
  });

  it("lets small frames through when others have used it up", () => {
    const budget = createFrameBudget({ socketsPerAccount: 9, totalBytes: 100 * KIB });
    const [large, small] = [openSocket(budget), openSocket(budget, "grace")];
    large.receive(165 * KIB);
    small.receive(60 * KIB);
    assert.deepEqual([large.exceeded.length, small.exceeded.length], [1, 0]);
    for (const { close } of [large, small]) close();
  });

  it("counts from the last message; pings between fragments take off their own bytes only", () => {
    const budget = createFrameBudget({ socketsPerAccount: 9, accountBytes: 100 * KIB });
    const { receive, socket, exceeded, close } = openSocket(budget);
    for (let i = 0; i < 10; i += 1) {
      receive(100 * KIB);
      socket.emit("message", Buffer.alloc(100 * KIB), true);
    }
    assert.deepEqual(exceeded, []);
    for (let i = 0; i < 3; i += 1) {
      receive(60 * KIB);
      receive(131);
      socket.emit("ping", Buffer.alloc(125));
    }
    assert.equal(exceeded.length, 1);
    close();
  });

  it("gives a frame a deadline, but not while the server itself does not read", async () => {
    const budget = createFrameBudget({ socketsPerAccount: 9, frameMs: 50 });
    const sockets = [openSocket(budget), openSocket(budget), openSocket(budget)] as const;
    const [slow, paused, quick] = sockets;
    paused.socket.isPaused = true;
    for (const { receive } of sockets) receive(10);
    quick.socket.emit("message", Buffer.alloc(4), true);
    await sleep(200);
    assert.deepEqual(slow.exceeded, ["1008 it was not complete within 0.05 s"]);
    assert.deepEqual([paused.exceeded, quick.exceeded], [[], []]);
    for (const { close } of sockets) close();
  });
});

describe("the live sockets of an account", () => {
  it("are at most as many as set", { timeout: 60_000 }, async (context) => {
    const server = await startTestServer({ config: { socketsPerAccount: 2, concurrency: 10 } });
    context.after(() => server.close());
    const first = await connectLive(server.url);
    await connectLive(server.url);
    await assert.rejects(connectLive(server.url), /429/);
    await first.close();
    await (await connectLive(server.url)).close();
  });

  it("take a message in up to 1024 fragments", { timeout: 60_000 }, async (context) => {
    const server = await startTestServer();
    context.after(() => server.close());
    const frame = encodeMessagePack({
      event: "start",
      request: { text: "A word.", format: "pcm" },
      x: "x".repeat(2000),
    });
    const sendPieces = (socket: WebSocket, count: number): void => {
      for (let at = 0; at < count - 1; at += 1) socket.send(frame.subarray(at, at + 1), { fin: false });
      socket.send(frame.subarray(count - 1));
    };
    const client = await connectLive(server.url);
    sendPieces(client.socket, LIMITS.messageFragments);
    client.send({ event: "stop" });
    assert.equal((await client.round()).finish.reason, "stop");
    sendPieces(client.socket, LIMITS.messageFragments + 1);
    assert.match(String((await client.round()).finish.message), /more than 1024 fragments/);
    assert.equal(await client.next(), 1008);
  });

  it("are closed with 1009 when unfinished frames take over 64 MiB", { timeout: 60_000 }, async (context) => {
    const server = await startTestServer({ config: { concurrency: 10 } });
    context.after(() => server.close());
    // The first fragment of a message, then a ping: its pong says that the server has the whole fragment.
    const fragment = Buffer.alloc(10 + 4 + 15 * KIB * KIB);
    fragment.set([0x02, 0xff, 0, 0, 0, 0, 0, 0xf0, 0, 0]);
    const ping = Buffer.from([0x89, 0x80, 0, 0, 0, 0]);
    const open = async () => {
      const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
      context.after(() => socket.destroy());
      // A reset is followed by `close`.
      socket.on("error", () => {});
      socket.write(
        `GET /v1/tts/live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nAuthorization: Bearer ${TEST_KEY}\r\n\r\n`,
      );
      await once(socket, "data");
      return socket;
    };
    const others = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const socket = await open();
        const pong = once(socket, "data");
        socket.write(fragment);
        socket.write(ping);
        assert.deepEqual((await pong)[0], Buffer.from([0x8a, 0]));
        return socket;
      }),
    );
    const socket = await open();
    const chunks: Buffer[] = [];
    socket.on("data", (data) => chunks.push(data));
    const ended = new Promise((resolve) => socket.once("close", resolve));
    socket.write(fragment);
    await ended;
    const closed = Buffer.concat(chunks).toString("latin1");
    assert.match(closed, /unfinished frames take too much memory/);
    assert.ok(closed.includes("\x88\x02\x03\xf1"), "close code 1009");
    assert.deepEqual(
      others.map(({ destroyed }) => destroyed),
      [false, false, false, false],
    );
  });
});
