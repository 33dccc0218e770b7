import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { until, untilSteady } from "../../../../tests/support/until.ts";
import { ApiError, ConnectionError, LiveError } from "../index.ts";
import { bytesOf, liveServer } from "../testing/live-server.ts";

describe("client.live", { timeout: 600_000 }, () => {
  it("sends its frames with key and model, returns the audio as it arrives, and closes after the finish", async (context) => {
    const { client, callers } = await liveServer(context, async (frame, caller) => {
      if (frame.event === "text") await caller.audio(1, 2);
      if (frame.event === "flush") await caller.send({ event: "log", message: "flushed" });
      if (frame.event === "stop") {
        await caller.audio(3);
        await caller.finish();
      }
    });
    const session = await client.live({ model: "kokoro", format: "pcm", reference_id: "clara" });
    assert.equal(session.traceId, "the-trace");
    await session.send("Hel");
    await session.send("lo");
    await session.flush();
    await session.stop();
    const frames = [];
    for await (const frame of session) frames.push(frame);
    assert.deepEqual(frames, [
      { audio: Uint8Array.of(1, 2), time: 7 },
      { audio: Uint8Array.of(1, 2), time: 7 },
      { audio: Uint8Array.of(3), time: 7 },
    ]);
    const [caller] = callers;
    assert.ok(caller);
    const { authorization, model } = caller.request.headers;
    assert.deepEqual([caller.request.url, authorization, model], ["/v1/tts/live", "Bearer the-key", "kokoro"]);
    assert.deepEqual(caller.frames, [
      { event: "start", request: { text: "", format: "pcm", reference_id: "clara" } },
      { event: "text", text: "Hel" },
      { event: "text", text: "lo" },
      { event: "flush" },
      { event: "stop" },
    ]);
    await until(() => caller.socket.readyState === caller.socket.CLOSED);
  });

  it("returns audio while the text is still being sent", async (context) => {
    const { client } = await liveServer(context, async (frame, caller) => {
      if (frame.event === "text") await caller.audio(frame.text.length);
      if (frame.event === "stop") await caller.finish();
    });
    const session = await client.live();
    const frames = session[Symbol.asyncIterator]();
    await session.send("abc");
    assert.deepEqual((await frames.next()).value?.audio, Uint8Array.of(3));
    await session.send("de");
    assert.deepEqual((await frames.next()).value?.audio, Uint8Array.of(2));
    await session.stop();
    assert.deepEqual(await frames.next(), { value: undefined, done: true });
    assert.throws(() => session.send("more"), /has been stopped/);
    assert.throws(() => session.flush(), /has been stopped/);
    await session.stop();
  });

  it("returns the alignment when it is requested", async (context) => {
    const alignment = { segments: [{ text: "Hi", start: 0, end: 0.2 }], audio_duration: 0.3 };
    const fields = { content: "Hi!", alignment, chunk_seq: 0, chunk_audio_offset_sec: 0.5 };
    const { client, callers } = await liveServer(context, async (frame, caller) => {
      if (frame.event !== "stop") return;
      await caller.send({ event: "audio", audio: Uint8Array.of(1), time: 3, ...fields });
      await caller.finish();
    });
    const session = await client.live({ text: "Hi!", timestamps: true });
    await session.stop();
    for await (const frame of session) {
      assert.equal(frame.alignment?.segments[0]?.text, "Hi");
      assert.deepEqual(frame, { audio: Uint8Array.of(1), time: 3, ...fields });
    }
    assert.equal(callers[0]?.request.url, "/v1/tts/live/with-timestamp");
    assert.deepEqual(callers[0]?.frames[0], { event: "start", request: { text: "Hi!" } });
  });

  it("sends the same characters however the text is cut, also inside surrogate pairs", async (context) => {
    let received = "";
    const { client } = await liveServer(context, async (frame, caller) => {
      if (frame.event === "start") received = "";
      if (frame.event === "text") received += frame.text;
      if (frame.event === "stop") await caller.finish();
    });
    const live = await client.live.connect();
    const text = "Grüße 👩‍👩‍👧, 3.14 — 𝄞!";
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(text.length), { maxLength: 12 }), async (places) => {
        const cuts = [0, ...places.sort((a, b) => a - b), text.length];
        const session = live.round();
        for (const [index, cut] of cuts.slice(1).entries()) session.send(text.slice(cuts[index], cut));
        session.stop();
        await bytesOf(session);
        assert.equal(received, text);
      }),
      { numRuns: 50 },
    );
    await live.close();
  });

  it("pipes a stream of text and stops at its end", async (context) => {
    const { client, callers } = await liveServer(context, async (frame, caller) => {
      if (frame.event === "text") await caller.audio(frame.text.length);
      if (frame.event === "stop") await caller.finish();
    });
    async function* tokens() {
      yield "One";
      await new Promise((resolve) => setTimeout(resolve, 10));
      yield " two";
    }
    const session = await client.live();
    session.speak(tokens());
    assert.deepEqual(await bytesOf(session), [3, 4]);
    assert.deepEqual(
      callers[0]?.frames.map(({ event }) => event),
      ["start", "text", "text", "stop"],
    );
  });

  it("ends early when it is stopped while a stream of text is piped", async (context) => {
    const { client } = await liveServer(context, async (frame, caller) => {
      if (frame.event === "text") await caller.audio(frame.text.length);
      if (frame.event === "stop") await caller.finish();
    });
    let released = false;
    async function* endless() {
      try {
        for (;;) {
          yield "word ";
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      } finally {
        released = true;
      }
    }
    const session = await client.live();
    const piped = session.speak(endless());
    let frames = 0;
    for await (const _frame of session) {
      frames += 1;
      if (frames === 3) await session.stop();
    }
    assert.ok(frames >= 3);
    await piped.catch(() => {});
    await until(() => released);
  });

  it("fails with the stream of text, and closes that stream when the round fails", async (context) => {
    const { client, callers } = await liveServer(context, async (frame, caller) => {
      if (frame.event === "text" && frame.text === "bad") {
        await caller.send({ event: "finish", reason: "error", message: "no more credit" });
      }
    });
    const broken = await client.live();
    async function* failing() {
      yield "a";
      throw new Error("the model broke");
    }
    const spoken = assert.rejects(broken.speak(failing()), /the model broke/);
    await assert.rejects(bytesOf(broken), /the model broke/);
    await spoken;
    await until(() => callers[0]?.socket.readyState === 3);

    let released = false;
    const endless = {
      count: 0,
      async next() {
        this.count += 1;
        if (this.count === 1) return { done: false as const, value: "bad" };
        return new Promise<never>(() => {});
      },
      async return() {
        released = true;
        return { done: true as const, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
    const refused = await client.live();
    const ended = assert.rejects(refused.speak(endless), LiveError);
    await assert.rejects(bytesOf(refused), LiveError);
    await ended;
    assert.ok(released);
  });

  it("throws the error that the server ends a round with, after the audio that came before", async (context) => {
    const { client } = await liveServer(context, async (frame, caller) => {
      if (frame.event !== "text") return;
      await caller.audio(9);
      await caller.send({ event: "finish", reason: "error", message: "Not enough credit" });
    });
    const session = await client.live();
    await session.send("a");
    const bytes: number[] = [];
    await assert.rejects(bytesOf(session, bytes), (error) => {
      assert.ok(error instanceof LiveError);
      assert.deepEqual([error.message, error.traceId], ["Not enough credit", "the-trace"]);
      return true;
    });
    assert.deepEqual(bytes, [9]);
    await assert.rejects(session.send("more"), LiveError);
  });

  it("throws the error of a refused upgrade", async (context) => {
    const body = JSON.stringify({ status: 429, message: "Too many" });
    const { client } = await liveServer(context, () => {}, {
      refuse: (socket) => {
        socket.write("HTTP/1.1 429 Too Many Requests\r\nx-error-code: concurrency_limited\r\nretry-after: 2\r\n");
        socket.end(`x-trace-id: abc\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`);
      },
    });
    for (const attempt of [() => client.live(), () => client.live.connect()]) {
      await assert.rejects(attempt, (error) => {
        assert.ok(error instanceof ApiError);
        assert.deepEqual(
          [error.code, error.status, error.message, error.retryable, error.retryAfterSeconds, error.traceId],
          ["concurrency_limited", 429, "Too many", true, 2, "abc"],
        );
        return true;
      });
    }
  });

  for (const [status, code] of [
    [401, "invalid_api_key"],
    [402, "insufficient_balance"],
    [503, "overloaded"],
  ] as const) {
    it(`throws a refusal with ${status} even when its body breaks off`, async (context) => {
      const { client } = await liveServer(context, () => {}, {
        refuse: (socket) => {
          socket.write(`HTTP/1.1 ${status} No\r\ncontent-length: 1000\r\n\r\n{"sta`);
          setTimeout(() => socket.destroy(), 10);
        },
      });
      await assert.rejects(client.live(), (error) => {
        assert.ok(error instanceof ApiError);
        assert.deepEqual([error.status, error.code], [status, code]);
        return true;
      });
    });
  }

  it("ignores unknown events", async (context) => {
    const { client } = await liveServer(context, async (_frame, caller) => {
      caller.socket.send(Buffer.from("81a56576656e74a56f74686572", "hex"));
      await caller.finish();
    });
    assert.deepEqual(await bytesOf(await client.live()), []);
  });

  it("survives any bytes from the server", async (context) => {
    let garbage: Uint8Array = Uint8Array.of();
    const { client } = await liveServer(context, (_frame, { socket }) => {
      socket.send(garbage);
      socket.close();
    });
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), async (bytes) => {
        garbage = bytes;
        await assert.rejects(bytesOf(await client.live()), ConnectionError);
      }),
      { numRuns: 100 },
    );
  });

  it("pauses the socket while the reader is slow, and loses nothing", async (context) => {
    const piece = 32 * 1024;
    const count = 640;
    let written = 0;
    const { client } = await liveServer(context, async (frame, caller) => {
      if (frame.event !== "stop") return;
      for (let part = 0; part < count; part += 1) {
        await caller.send({ event: "audio", audio: new Uint8Array(piece).fill(part % 256), time: part });
        written += 1;
      }
      await caller.finish();
    });
    const session = await client.live();
    await session.stop();
    const frames = session[Symbol.asyncIterator]();
    assert.equal((await frames.next()).value?.audio[0], 0);
    await untilSteady(() => written);
    assert.ok(written < count, `all ${written} frames were taken although one was read`);
    let read = 1;
    for await (const { audio, time } of { [Symbol.asyncIterator]: () => frames }) {
      assert.deepEqual([time, audio.length, audio[0]], [read, piece, read % 256]);
      read += 1;
    }
    assert.equal(read, count);
  });

  it("speaks several rounds on one connection, one after the other", async (context) => {
    const { client, callers } = await liveServer(context, async (frame, caller) => {
      if (frame.event === "text") await caller.audio(frame.text.length);
      if (frame.event === "stop") await caller.finish();
    });
    const live = await client.live.connect();
    for (const text of ["a", "bb", ""]) {
      const session = live.round({ format: "pcm" });
      assert.throws(() => live.round(), /A round is running/);
      await session.send(text);
      await session.stop();
      assert.deepEqual(await bytesOf(session), text === "" ? [] : [text.length]);
    }
    assert.equal(callers.length, 1);
    const [caller] = callers;
    assert.equal(caller?.socket.readyState, 1);
    await live.close();
    await until(() => caller?.socket.readyState === 3);
    assert.throws(() => live.round(), ConnectionError);
  });

  it("can go on with another round after one that failed", async (context) => {
    const { client } = await liveServer(context, async (frame, caller) => {
      if (frame.event === "text") await caller.send({ event: "finish", reason: "error", message: "bad voice" });
      if (frame.event === "stop") await caller.finish();
    });
    const live = await client.live.connect();
    const bad = live.round();
    await bad.send("a");
    await assert.rejects(bytesOf(bad), /bad voice/);
    const good = live.round();
    await good.stop();
    assert.deepEqual(await bytesOf(good), []);
    await live.close();
  });
});
