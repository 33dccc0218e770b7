import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SpeechError } from "../../errors.ts";
import type { ChunkMetrics } from "../../speech.ts";
import { chunkOf } from "../../testing/chunks.ts";
import { createStreamAdmission, type StreamAdmission } from "./stream-admission.ts";

const never = new AbortController().signal;
/** The tests assume ten seconds of speech for a chunk of 100 characters. */
const CHARACTERS = 100;
const SECONDS = 10;

/** An admission with a clock that the test sets. */
function openAdmission(
  options: { readonly busyPerSecond?: number; readonly queue?: number; readonly keepAhead?: boolean } = {},
) {
  const clock = { ms: 0 };
  const { busyPerSecond = 0.2, queue = 1000, keepAhead = true } = options;
  const admission = createStreamAdmission({
    queue,
    keepAhead,
    engines: new Map([
      ["kokoro", { workers: 2, cost: busyPerSecond }],
      ["piper", { workers: 2, cost: busyPerSecond }],
    ]),
    now: () => clock.ms,
    loopActiveMs: () => 0,
  });
  return { admission, clock };
}

const request = { engines: ["kokoro"], characters: 10 * CHARACTERS, speed: 1 } as const;
const metrics = (busyMs: number): ChunkMetrics => ({
  engine: "kokoro",
  queueMs: 0,
  busyMs,
  audioSeconds: SECONDS,
  outcome: "done",
});

/** A stream with its first chunk, without any audio yet. Throws when it is refused. */
async function openStream(admission: StreamAdmission, text: number | undefined, internal?: true) {
  const stream = admission.join({ ...request, characters: text, internal });
  const playing = { ahead: 0 };
  async function* chunks() {
    for (let at = 0; text === undefined || at < text; at += CHARACTERS) {
      yield { ...chunkOf("a".repeat(CHARACTERS)), from: at, to: at + CHARACTERS };
    }
  }
  const source = stream.track(chunks, () => "kokoro", never)(() => playing.ahead);
  assert.ok(Symbol.asyncIterator in source);
  const iterator = source[Symbol.asyncIterator]();
  try {
    await iterator.next();
  } catch (error) {
    stream.leave();
    throw error;
  }
  return {
    playing,
    stream,
    /** Ends the current chunk. */
    async endChunk(busyMs = 1) {
      stream.chunkEnded(metrics(busyMs));
      await iterator.next();
    },
    /** The reader has received audio, up to this lead. */
    deliver(ahead: number) {
      playing.ahead = ahead;
      stream.pause();
      stream.resume();
    },
  };
}

const open = (admission: StreamAdmission) => openStream(admission, request.characters);

async function openAll(admission: StreamAdmission, max: number, text: { characters: number | undefined } = request) {
  const all: Awaited<ReturnType<typeof openStream>>[] = [];
  let refusal: unknown;
  while (all.length < max && refusal === undefined) {
    try {
      const one = await openStream(admission, text.characters);
      // It has a lead: the next one may start.
      one.deliver(8);
      all.push(one);
    } catch (error) {
      refusal = error;
    }
  }
  return { all, refusal };
}

describe("stream admission", () => {
  it("accepts as many streams as the workers can keep ahead, and tells the next one when to retry", async () => {
    // Two workers, a fifth of one for each stream: ten at most, and seven with the guaranteed share.
    const { admission } = openAdmission({ busyPerSecond: 0.2 });
    const { all, refusal } = await openAll(admission, 100);
    assert.ok(all.length >= 7 && all.length < 10, `${all.length} streams`);
    assert.ok(refusal instanceof SpeechError && refusal.code === "overloaded");
    assert.ok((refusal.retryAfterSeconds ?? 0) >= 1 && (refusal.retryAfterSeconds ?? 0) <= 60);
    assert.throws(() => admission.requireCapacity(request), SpeechError);
    for (const { stream } of all.slice(0, 2)) stream.leave();
    admission.requireCapacity(request);
    await open(admission);
  });

  it("measures the cost of a second of speech", async () => {
    const { admission } = openAdmission({ busyPerSecond: 0.2 });
    const first = await open(admission);
    for (let chunk = 0; chunk < 8; chunk++) await first.endChunk(SECONDS * 1000 * 0.05);
    first.stream.leave();
    const cheap = await openAll(admission, 100);
    assert.ok(cheap.all.length > 20, `${cheap.all.length} streams`);
    for (const { stream } of cheap.all) stream.leave();
    const expensive = await open(admission);
    for (let chunk = 0; chunk < 9; chunk++) await expensive.endChunk(SECONDS * 1000 * 0.8);
    expensive.stream.leave();
    const { all } = await openAll(admission, 100);
    assert.ok(all.length < 4, `${all.length} streams`);
  });

  it("measures the cost of an engine without the slowdown by another engine", async () => {
    const { admission } = openAdmission({ busyPerSecond: 0.1 });
    const alone = (await openAll(admission, 100)).all;
    for (const { stream } of alone) stream.leave();
    // All workers of both engines are busy, so everything is twice as slow.
    const pipers = [1, 2].map(() => admission.join({ ...request, engines: ["piper"] }));
    for (const stream of pipers) {
      const source = stream.track(
        () => [chunkOf("a".repeat(CHARACTERS))],
        () => "piper",
        never,
      )(() => 0);
      assert.ok(Symbol.asyncIterator in source);
      await source[Symbol.asyncIterator]().next();
    }
    const kokoros = [await open(admission), await open(admission)];
    for (let chunk = 0; chunk < 9; chunk++) for (const one of kokoros) await one.endChunk(SECONDS * 1000 * 0.2);
    for (const stream of [...pipers, ...kokoros.map(({ stream }) => stream)]) stream.leave();
    const { all } = await openAll(admission, 100);
    assert.ok(all.length >= alone.length - 2, `${all.length} instead of ${alone.length}`);
  });

  it("always accepts a single stream, however slow the machine is", async () => {
    const { admission } = openAdmission({ busyPerSecond: 50 });
    const { all } = await openAll(admission, 100);
    assert.equal(all.length, 1);
  });

  it("refuses streams while a client waits for audio", async () => {
    const { admission, clock } = openAdmission({ busyPerSecond: 0.01 });
    const slow = await open(admission);
    slow.deliver(0.3);
    slow.playing.ahead = 0;
    admission.requireCapacity(request);
    clock.ms += 2000;
    assert.throws(() => admission.requireCapacity(request), SpeechError);
    slow.deliver(2);
    admission.requireCapacity(request);
  });

  it("lets the streams of a burst wait longer for their start, unless others have to be kept ahead", async (context) => {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    const { admission, clock } = openAdmission({ busyPerSecond: 0.01 });
    const wait = async (ms: number) => {
      // Let pending promises settle.
      await new Promise(setImmediate);
      context.mock.timers.tick(ms);
      await new Promise(setImmediate);
    };
    const atOnce = await Promise.all([1, 2, 3, 4].map(() => open(admission)));
    let fifth = "waiting";
    const waited = open(admission).then(
      () => {
        fifth = "started";
      },
      () => {
        fifth = "refused";
      },
    );
    await wait(500);
    assert.equal(fifth, "waiting");
    atOnce[0]?.deliver(2);
    await waited;
    assert.equal(fifth, "started");
    clock.ms += 2_000;
    const sixth = assert.rejects(open(admission), SpeechError);
    await wait(130);
    await sixth;
  });

  it("does not delay or refuse streams because of internal ones", async () => {
    const { admission, clock } = openAdmission({ busyPerSecond: 50 });
    // More than may start at a time, and all of them late.
    const checks = await Promise.all([1, 2, 3, 4, 5].map(() => openStream(admission, CHARACTERS, true)));
    for (const check of checks) check.deliver(0.3);
    for (const check of checks) check.playing.ahead = 0;
    clock.ms += 2000;
    admission.requireCapacity(request);
    await open(admission);
    await assert.rejects(
      openStream(admission, CHARACTERS, true),
      SpeechError,
      "an internal stream needs capacity, too",
    );
    for (const { stream } of checks) stream.leave();
  });

  it("does not count a stream that is complete, or whose reader has stopped reading", async () => {
    const { admission, clock } = openAdmission({ busyPerSecond: 0.2 });
    const { all } = await openAll(admission, 100);
    assert.throws(() => admission.requireCapacity(request), SpeechError);
    for (const { stream } of all.slice(0, 3)) stream.pause();
    clock.ms += 11_000;
    for (const { playing } of all) playing.ahead = 8;
    admission.requireCapacity(request);
  });

  it("has a fixed limit, and no other limit without keepAhead", async () => {
    const { admission } = openAdmission({ busyPerSecond: 50, queue: 20, keepAhead: false });
    const { all, refusal } = await openAll(admission, 100);
    assert.equal(all.length, 20);
    assert.ok(refusal instanceof SpeechError && refusal.code === "overloaded");
    for (const { stream } of all) stream.leave();
    assert.equal((await openAll(admission, 5)).all.length, 5);
  });
});

function gate() {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

describe("a live text", () => {
  it("counts while it is spoken, not while it waits for text, and is not refused once it has started", async () => {
    const { admission, clock } = openAdmission({ busyPerSecond: 0.3 });
    const live = await openStream(admission, undefined);
    const liveText = { characters: undefined };
    const { all } = await openAll(admission, 100, liveText);
    assert.throws(() => admission.requireCapacity({ ...request, ...liveText }), SpeechError);
    const text = gate();
    const waiting = admission.join({ ...request, characters: undefined });
    async function* slow() {
      await text.opened;
      yield chunkOf("a".repeat(CHARACTERS));
    }
    const source = waiting.track(slow, () => "kokoro", never)(() => 0);
    assert.ok(Symbol.asyncIterator in source);
    const refused = source[Symbol.asyncIterator]().next();
    // It has not started: it takes no capacity, and there is none when its text arrives.
    text.open();
    await assert.rejects(refused, SpeechError);
    waiting.leave();
    // A stream that has started is never refused.
    await live.endChunk();
    for (const { stream } of all) stream.leave();
    live.stream.leave();
    clock.ms += 1000;
    await openStream(admission, undefined);
  });

  it("releases its capacity after a while without text", async () => {
    const { admission, clock } = openAdmission({ busyPerSecond: 0.9 });
    const stream = admission.join({ ...request, characters: undefined });
    const text = gate();
    async function* pausing() {
      yield chunkOf("a".repeat(CHARACTERS));
      await text.opened;
      yield chunkOf("a".repeat(CHARACTERS));
    }
    const source = stream.track(pausing, () => "kokoro", never)(() => 0);
    assert.ok(Symbol.asyncIterator in source);
    const iterator = source[Symbol.asyncIterator]();
    await iterator.next();
    const next = iterator.next();
    await Promise.resolve();
    assert.throws(() => admission.requireCapacity(request), SpeechError);
    clock.ms += 3000;
    admission.requireCapacity(request);
    text.open();
    await next;
    assert.throws(() => admission.requireCapacity(request), SpeechError);
  });
});
