import assert from "node:assert/strict";
import { once } from "node:events";
import { connect as connectTcp } from "node:net";
import { describe, it } from "node:test";
import type { LiveClient } from "../../../testing/live-client.ts";
import { serveToneSpeech } from "../../../testing/serve-tone-speech.ts";
import { until, untilSteady } from "../../../testing/until.ts";

const start = { event: "start", request: { text: "", format: "pcm" } };
const text = (piece: string) => ({ event: "text", text: piece });
const stop = { event: "stop" };
const rest = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));

function gate() {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

describe("a live socket under load", () => {
  it("waits for a slow client, and does not slow others down", async (context) => {
    const { connect, speech } = await serveToneSpeech(context, { samplesPerPart: 100_000 });
    const slow = await connect();
    slow.socket.pause();
    const sentences = 200;
    slow.send(start, text("Go. ".repeat(sentences)), stop);
    await until(() => (speech.jobs[0]?.parts ?? 0) > 0);
    const made = await untilSteady(() => speech.jobs[0]?.parts ?? 0);
    assert.ok(made < sentences / 2, `${made} of ${sentences} parts were made for a reader that reads nothing`);
    const quick = await connect();
    quick.send(start, text("Go. Go."), stop);
    assert.equal((await quick.round()).audio.length, 400_000);
    slow.socket.resume();
    assert.equal((await slow.round()).audio.length, sentences * 200_000);
    await Promise.all([slow.close(), quick.close()]);
  });

  it("disconnects a client that reads nothing", async (context) => {
    const timeouts = { engineTimeoutMs: 60_000, readerTimeoutMs: 100 };
    const { connect, speech, server } = await serveToneSpeech(
      context,
      { samplesPerPart: 100_000 },
      { parts: { timeouts } },
    );
    const client = await connect();
    client.socket.pause();
    client.send(start, text("Go. ".repeat(400)), stop);
    await until(() => speech.jobs[0]?.ended === true);
    await until(() => server.activeRequests.size === 0);
    client.socket.terminate();
  });

  it("pauses when more text arrives than is spoken, and loses none of it", async (context) => {
    const { open, opened } = gate();
    const { connect, speech } = await serveToneSpeech(context, { before: () => opened, samplesPerPart: 1 });
    const client = await connect();
    client.send(start);
    let expected = "";
    for (let i = 0; i < 300; i += 1) {
      const piece = `${"word ".repeat(200)}${i}. `;
      expected += piece;
      client.send(text(piece));
    }
    client.send(stop);
    // The pong comes after all earlier frames were read.
    let isRead = false;
    client.socket.ping();
    client.socket.once("pong", () => {
      isRead = true;
    });
    await until(() => speech.jobs.length === 1);
    const other = await connect();
    for (let i = 0; i < 20; i += 1) {
      other.socket.ping();
      await once(other.socket, "pong");
      await rest(10);
    }
    await other.close();
    assert.ok(!isRead, "the server has read everything");
    open();
    assert.equal((await client.round()).finish.reason, "stop");
    assert.equal(speech.jobs[0]?.request.text, expected);
    await client.close();
  });

  it("sends a small frame soon when no more text arrives, and frames of 2 to 32 KiB otherwise", async (context) => {
    // Where nothing is charged, no part waits for the database, which may take longer than a frame waits for more.
    const prices = { textByte: 0, transcribedSecond: 0 };
    const { connect } = await serveToneSpeech(context, { samplesPerPart: 300 }, { config: { prices } });
    const client = await connect();
    client.send(start, text("One. "), { event: "flush" });
    const first = await client.next();
    assert.ok(typeof first === "object" && first.event === "audio" && first.audio.length === 600);
    client.send(text("Go. ".repeat(100)), stop);
    const { frames, audio } = await client.round();
    assert.equal(audio.length, 100 * 600);
    for (const frame of frames.slice(0, -1)) {
      assert.ok(frame.audio.length >= 2048 && frame.audio.length <= 32_768, `${frame.audio.length} bytes`);
    }
    await client.close();
  });

  it("stops the work when the client disconnects", async (context) => {
    const { connect, speech, server } = await serveToneSpeech(context, { before: (part) => rest(part === 0 ? 0 : 20) });
    for (const disconnect of ["close", "terminate"] as const) {
      const client = await connect();
      client.send(start, text("Go. ".repeat(1000)));
      await client.next();
      client.socket[disconnect]();
      const job = speech.jobs.at(-1) ?? assert.fail();
      await until(() => job.ended && server.activeRequests.size === 0);
      assert.ok(job.parts < 100, `${job.parts} parts`);
      await until(() => server.log.filter((line) => line.includes('"status":499')).length > 0);
    }
    assert.ok(!server.log.some((line) => line.includes("request failed")));
  });

  it("replies to pings while it speaks", async (context) => {
    const { open, opened } = gate();
    const { connect } = await serveToneSpeech(context, { before: () => opened });
    const client = await connect();
    client.send(start, text("Words."));
    for (let i = 0; i < 3; i += 1) {
      client.socket.ping(`${i}`);
      const [data] = (await once(client.socket, "pong")) as [Buffer];
      assert.equal(String(data), `${i}`);
    }
    open();
    client.send(stop);
    await client.round();
    await client.close();
  });
});

describe("an idle live socket", () => {
  /** A peer may be silent for ten pings. */
  const pinging = { parts: { timeouts: { engineTimeoutMs: 60_000, readerTimeoutMs: 200 }, pingMs: 20 } };

  /** Throws when the socket is closed before. */
  async function pinged({ socket }: LiveClient, times: number): Promise<void> {
    const cut = new AbortController();
    socket.once("close", (code) => cut.abort(new Error(`the socket closed with ${code}`)));
    for (let pings = 0; pings < times; pings += 1) await once(socket, "ping", { signal: cut.signal });
  }
  // Long enough for what a test sends to arrive before, also on a machine that stalls sometimes.
  const liveIdleSeconds = 1.5;

  it("is closed with 1000 after the idle timeout", async (context) => {
    const { connect } = await serveToneSpeech(context, {}, { config: { liveIdleSeconds } });
    const fresh = await connect();
    assert.equal(await fresh.next(), 1000);
    const used = await connect();
    used.send(start, text("Words."), stop);
    await used.round();
    assert.equal(await used.next(), 1000);
  });

  it("ends a round that waits for text too long, before it closes", async (context) => {
    const { connect } = await serveToneSpeech(context, {}, { config: { liveIdleSeconds } });
    const client = await connect();
    client.send(start, text("half a"));
    assert.match((await client.round()).finish.message ?? "", /nothing came for/);
    assert.equal(await client.next(), 1000);
  });

  it("is pinged, and closed when the client does not reply", async (context) => {
    const { server, connect } = await serveToneSpeech(context, {}, pinging);
    const client = await connect();
    // A peer that answers stays.
    await pinged(client, 30);
    await client.close();
    const { hostname, port } = new URL(server.url);
    const dead = connectTcp(Number(port), hostname);
    dead.write(
      `GET /v1/tts/live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nAuthorization: Bearer test-key-0123456789abcdef\r\n\r\n`,
    );
    dead.on("error", () => {});
    dead.resume();
    await once(dead, "close");
  });

  it("is not closed because the server itself was suspended for longer than the timeout", async (context) => {
    const { connect } = await serveToneSpeech(context, {}, pinging);
    const client = await connect();
    for (let still = 0; still < 3; still += 1) {
      await pinged(client, 1);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    }
    await pinged(client, 5);
    await client.close();
  });
});

describe("live sockets during a shutdown", () => {
  it("are closed with 1001, active ones after their round", async (context) => {
    const { open, opened } = gate();
    const { connect, server } = await serveToneSpeech(context, { before: () => opened });
    const [quiet, busy] = [await connect(), await connect()];
    busy.send(start, text("Words."), stop, start, text("More."), stop);
    await until(() => server.activeRequests.size === 1);
    // A ping is answered after the frames before it were read.
    busy.socket.ping();
    await once(busy.socket, "pong");
    server.activeRequests.drain();
    assert.equal(await quiet.next(), 1001);
    open();
    assert.equal((await busy.round()).finish.reason, "stop");
    assert.match((await busy.round()).finish.message ?? "", /shutting down/);
    assert.equal(await busy.next(), 1001);
  });

  it("are closed when the drain time has passed", async (context) => {
    const { opened } = gate();
    const { connect, server } = await serveToneSpeech(context, {
      before: (_part, signal) => Promise.race([opened, aborted(signal)]),
    });
    const [busy, silent] = [await connect(), await connect()];
    busy.send(start, text("Words."));
    silent.socket.pause();
    await until(() => server.activeRequests.size === 1);
    server.activeRequests.drain();
    server.activeRequests.abortAll(new Error("the time is over"));
    const { finish } = await busy.round();
    assert.match(finish.message ?? "", /shutting down/);
    assert.equal(await busy.next(), 1001);
    await server.close();
    silent.socket.terminate();
  });
});
