import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { until } from "../../../../tests/support/until.ts";
import { ConnectionError, Parlance } from "../index.ts";
import { bytesOf, liveServer } from "../testing/live-server.ts";

describe("client.live, on errors", { timeout: 600_000 }, () => {
  it("throws ConnectionError when the server cannot be reached or does not respond", async (context) => {
    await assert.rejects(new Parlance({ baseUrl: "http://127.0.0.1:1", apiKey: "k" }).live(), ConnectionError);
    const silent = await liveServer(context, () => {}, { refuse: () => {}, timeoutMs: 50 });
    await assert.rejects(silent.client.live(), (error) => {
      assert.ok(error instanceof ConnectionError);
      assert.match(error.message, /no response in 50 ms/);
      return true;
    });
  });

  it("throws ConnectionError when the connection drops in the middle, and does not reconnect", async (context) => {
    const { client, callers } = await liveServer(context, async (frame, caller) => {
      if (frame.event !== "text") return;
      await caller.audio(1, 2);
      caller.socket.terminate();
    });
    const live = await client.live.connect();
    const session = live.round();
    await session.send("a");
    const bytes: number[] = [];
    await assert.rejects(bytesOf(session, bytes), (error) => {
      assert.ok(error instanceof ConnectionError);
      assert.deepEqual([error.retryable, error.traceId], [true, "the-trace"]);
      return true;
    });
    assert.deepEqual(bytes, [1, 2]);
    await assert.rejects(session.send("b"), ConnectionError);
    assert.equal(live.open, false);
    assert.throws(() => live.round(), ConnectionError);
    assert.equal(callers.length, 1);
    await live.close();
  });

  it("reports why the server closed", async (context) => {
    const { client, callers } = await liveServer(context, () => {});
    const live = await client.live.connect();
    callers[0]?.socket.close(1000, "idle");
    await until(() => !live.open);
    assert.throws(() => live.round(), /closed: 1000 idle/);
  });

  for (const [what, send] of [
    ["bytes that are no MessagePack", (socket: { send(data: unknown): void }) => socket.send(Buffer.of(0xc1))],
    ["a frame of text", (socket: { send(data: unknown): void }) => socket.send("hello")],
    [
      "an audio frame without audio",
      (socket: { send(data: unknown): void }) => socket.send(Buffer.from("81a56576656e74a5617564696f", "hex")),
    ],
    ["a frame over the limit", (socket: { send(data: unknown): void }) => socket.send(Buffer.alloc(2 ** 20 + 1))],
  ] as const) {
    it(`throws ConnectionError for ${what}`, async (context) => {
      const { client, callers } = await liveServer(context, (_frame, { socket }) => send(socket));
      const session = await client.live();
      await assert.rejects(bytesOf(session), ConnectionError);
      await until(() => callers[0]?.socket.readyState === 3);
    });
  }

  it("closes the connection when the reader leaves, so that the server stops", async (context) => {
    const { client, callers } = await liveServer(context, async (_frame, caller) => caller.audio(1));
    const live = await client.live.connect();
    for await (const _frame of live.round()) break;
    await until(() => callers[0]?.socket.readyState === 3);
    assert.throws(() => live.round(), ConnectionError);
  });

  it("ends with the reason of the caller's signal: while opening, in a round, on the whole connection", async (context) => {
    const { client, callers } = await liveServer(context, async (frame, caller) => {
      if (frame.event === "start") await caller.audio(1);
    });
    const reason = { message: "enough" };
    await assert.rejects(client.live({}, { signal: AbortSignal.abort(new Error("enough")) }), reason);
    const silent = await liveServer(context, () => {}, { refuse: () => {} });
    const opening = new AbortController();
    setTimeout(() => opening.abort(new Error("enough")), 20);
    await assert.rejects(silent.client.live({}, { signal: opening.signal }), reason);

    const read = (session: AsyncIterable<unknown>, controller: AbortController) =>
      assert.rejects(async () => {
        for await (const _frame of session) setTimeout(() => controller.abort(new Error("enough")), 5);
      }, reason);
    const whole = new AbortController();
    await read(await client.live({}, { signal: whole.signal }), whole);
    const one = new AbortController();
    await read((await client.live.connect()).round({}, { signal: one.signal }), one);
    const socket = new AbortController();
    const live = await client.live.connect({}, { signal: socket.signal });
    await read(live.round(), socket);
    assert.throws(() => live.round(), reason);
    await until(() => callers.length === 3 && callers.every((caller) => caller.socket.readyState === 3));
  });

  it("times out when the server sends nothing after the stop, but not before", async (context) => {
    const { client } = await liveServer(context, () => {}, { timeoutMs: 1000 });
    const session = await client.live();
    const reading = assert.rejects(bytesOf(session), /Nothing received for 1000 ms/);
    await new Promise((resolve) => setTimeout(resolve, 2200));
    await session.stop();
    await reading;
  });

  it("notices that the server has disconnected", async (context) => {
    const { client } = await liveServer(context, () => {}, {
      timeoutMs: 1000,
      // The connection is open, but the server responds to nothing, not even to a ping.
      onOpen: ({ socket }) => socket.pause(),
    });
    await assert.rejects(bytesOf(await client.live()), /nothing received for 1000 ms/);
  });

  it("does not count the time in which this process was suspended", async (context) => {
    const { client } = await liveServer(
      context,
      async (frame, caller) => {
        if (frame.event === "stop") await caller.finish();
      },
      { timeoutMs: 1000 },
    );
    const live = await client.live.connect();
    // Nothing is read meanwhile, so no response can arrive.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500);
    // Timers that are due run before this one, which was created later.
    await new Promise((resolve) => setTimeout(resolve, 1));
    const session = live.round();
    await session.stop();
    assert.deepEqual(await bytesOf(session), []);
    await live.close();
  });

  it("works with a WebSocket without headers", async (context) => {
    const { WebSocket } = await import("ws");
    const { client, callers } = await liveServer(
      context,
      async (frame, caller) => {
        if (frame.event === "text") await caller.audio(frame.text.length);
        if (frame.event === "stop") await caller.finish();
      },
      { WebSocket: WebSocket as unknown as typeof globalThis.WebSocket },
    );
    const live = await client.live.connect();
    for (const text of ["abc", "d"]) {
      const session = live.round();
      session.speak(text);
      assert.deepEqual(await bytesOf(session), [text.length]);
    }
    assert.equal(callers[0]?.request.headers.authorization, undefined);
    await assert.rejects(client.live({ model: "kokoro" }), /model kokoro: it cannot be sent/);
    const dropped = live.round();
    callers[0]?.socket.terminate();
    await assert.rejects(bytesOf(dropped), ConnectionError);
    await live.close();
  });

  it("reports when a WebSocket without headers is refused, aborted or gets no response", async (context) => {
    const { WebSocket } = await import("ws");
    const plain = { WebSocket: WebSocket as unknown as typeof globalThis.WebSocket };
    const refusing = await liveServer(context, () => {}, {
      ...plain,
      refuse: (socket) => socket.end("HTTP/1.1 401 No\r\ncontent-length: 0\r\n\r\n"),
    });
    await assert.rejects(refusing.client.live(), (error) => {
      assert.ok(error instanceof ConnectionError);
      assert.match(error.message, /needs a session cookie/);
      return true;
    });
    const silent = await liveServer(context, () => {}, { ...plain, refuse: () => {}, timeoutMs: 100 });
    await assert.rejects(silent.client.live(), /no response in 100 ms/);
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error("enough")), 20);
    await assert.rejects(silent.client.live({}, { signal: controller.signal }), { message: "enough" });
  });
});
