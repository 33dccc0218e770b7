import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SpeechError } from "../../errors.ts";
import { createChannel } from "../../lib/channel.ts";
import type { ChunkMetrics } from "../../speech.ts";
import { chunkOf } from "../../testing/chunks.ts";
import type { SpeechChunk } from "../../text/index.ts";
import { createStreamAdmission, type StreamAdmission, type StreamAdmissionOptions } from "./stream-admission.ts";

const never = new AbortController().signal;
/** The tests assume ten seconds of speech for a chunk of 100 characters. */
const CHARACTERS = 100;
const SECONDS = 10;

/** An admission with a clock that the test sets. */
function openAdmission(
  options: Partial<Pick<StreamAdmissionOptions, "queue" | "keepAhead" | "maxWaitMs" | "otherNeeds" | "onAccepted">> & {
    busyPerSecond?: number;
    workers?: number;
  } = {},
) {
  const clock = { ms: 0 };
  const { busyPerSecond = 0.2, workers = 2, queue = 1000, keepAhead = true } = options;
  const admission = createStreamAdmission({
    queue,
    keepAhead,
    engines: new Map([
      ["kokoro", { workers, cost: busyPerSecond }],
      ["piper", { workers, cost: busyPerSecond }],
    ]),
    now: () => clock.ms,
    loopActiveMs: () => 0,
    otherNeeds: options.otherNeeds,
    onAccepted: options.onAccepted,
    maxWaitMs: options.maxWaitMs ?? { usual: 1, burst: 1 },
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
  const source = stream.track(chunks, never)(() => playing.ahead);
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
  it("accepts as many streams as the workers can keep ahead, and gives the next one a time to retry", async () => {
    // Two workers, a fifth of one for each stream: ten at most, and seven with the guaranteed share.
    const { admission } = openAdmission({ busyPerSecond: 0.2 });
    const { all, refusal } = await openAll(admission, 100);
    assert.ok(all.length >= 7 && all.length < 10, `${all.length} streams`);
    assert.ok(refusal instanceof SpeechError && refusal.code === "overloaded");
    assert.ok((refusal.retryAfterSeconds ?? 0) >= 1 && (refusal.retryAfterSeconds ?? 0) <= 60);
    await assert.rejects(admission.waitForCapacity(request, never), SpeechError);
    for (const { stream } of all.slice(0, 2)) stream.leave();
    await admission.waitForCapacity(request, never);
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
    await admission.waitForCapacity(request, never);
    clock.ms += 2000;
    await assert.rejects(admission.waitForCapacity(request, never), SpeechError);
    slow.deliver(2);
    await admission.waitForCapacity(request, never);
  });

  it("lets the streams of a burst wait longer for their start, unless others have to be kept ahead", async (context) => {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    const maxWaitMs = { usual: 120, burst: 600 };
    const { admission, clock } = openAdmission({ workers: 1, busyPerSecond: 0.01, maxWaitMs });
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

  it("lets no stream wait longer while another node has streams to keep ahead", async (context) => {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    const outcomeAfter = async (waitMs: number, ahead: number): Promise<string> => {
      const otherNeeds = () => [{ share: 0.001, ahead, left: 8 }];
      const maxWaitMs = { usual: 120, burst: 600 };
      const { admission } = openAdmission({ workers: 1, busyPerSecond: 0.01, maxWaitMs, otherNeeds });
      for (let count = 0; count < 4; count++) await open(admission);
      let outcome = "waiting";
      open(admission).catch(() => {
        outcome = "refused";
      });
      await new Promise(setImmediate);
      context.mock.timers.tick(waitMs);
      await new Promise(setImmediate);
      return outcome;
    };
    assert.equal(await outcomeAfter(130, 0.1), "waiting", "those of the other node have just arrived, too");
    assert.equal(await outcomeAfter(130, 3), "refused");
  });

  it("lets 16 streams start at a time, however many workers there are", async () => {
    const { admission } = openAdmission({ workers: 100 });
    const streams = [];
    for (let count = 0; count < 16; count++) streams.push(await openStream(admission, CHARACTERS));
    await assert.rejects(openStream(admission, CHARACTERS), /begin at the same time/);
    for (const { stream } of streams) stream.leave();
    (await openStream(admission, CHARACTERS)).stream.leave();
  });

  it("does not delay or refuse streams because of internal ones", async () => {
    const { admission, clock } = openAdmission({ busyPerSecond: 50 });
    // More than may start at a time, and all of them late.
    const checks = await Promise.all(Array.from({ length: 9 }, () => openStream(admission, CHARACTERS, true)));
    for (const check of checks) check.deliver(0.3);
    for (const check of checks) check.playing.ahead = 0;
    clock.ms += 2000;
    await admission.waitForCapacity(request, never);
    await open(admission);
    await assert.rejects(
      openStream(admission, CHARACTERS, true),
      SpeechError,
      "an internal stream needs capacity, too",
    );
    for (const { stream } of checks) stream.leave();
  });

  it("counts the workers for the streams of all nodes, and the event loop for its own", async () => {
    const held = async (options: { busyPerSecond: number; workers: number }): Promise<[number, number, number]> => {
      const alone = await openAll(openAdmission(options).admission, 1000);
      const first = openAdmission(options).admission;
      const second = openAdmission({ ...options, otherNeeds: first.needs }).admission;
      const ofFirst = (await openAll(first, 1000)).all.length;
      return [alone.all.length, ofFirst, (await openAll(second, 1000)).all.length];
    };
    // Many fast workers: each node sends what its own event loop can.
    const [alone, first, second] = await held({ busyPerSecond: 0.2, workers: 1000 });
    assert.ok(alone > 50 && alone < 200, `${alone} streams of one node`);
    assert.deepEqual([first, second], [alone, alone]);
    // Two workers: what the first node has taken is not there for the second.
    assert.equal((await held({ busyPerSecond: 0.2, workers: 2 }))[2], 0);
  });

  it("tells of each stream that it accepts, and of none that it refuses", async () => {
    let told = 0;
    const { admission } = openAdmission({
      onAccepted({ share, ahead, left }) {
        told++;
        assert.ok(share > 0 && ahead === 0 && left > 0);
      },
    });
    const { all, refusal } = await openAll(admission, 100);
    assert.ok(refusal instanceof SpeechError);
    assert.equal(told, all.length);
    await openStream(
      openAdmission({ onAccepted: () => assert.fail("an internal stream") }).admission,
      CHARACTERS,
      true,
    );
  });

  it("reports the used share of the workers, which is the same for all nodes", async () => {
    const { admission } = openAdmission({ busyPerSecond: 0.2, workers: 1000 });
    const other = openAdmission({ busyPerSecond: 0.2, workers: 1000, otherNeeds: admission.needs }).admission;
    const { all } = await openAll(admission, 10);
    const expected = (all.length * 0.2) / 1000 / 0.7;
    for (const one of [admission, other]) assert.ok(Math.abs(one.usedRatio() - expected) < 1e-9, `${one.usedRatio()}`);
  });

  it("does not count a stream that is complete, or whose reader has stopped reading", async () => {
    const { admission, clock } = openAdmission({ busyPerSecond: 0.2 });
    const { all } = await openAll(admission, 100);
    await assert.rejects(admission.waitForCapacity(request, never), SpeechError);
    for (const { stream } of all.slice(0, 3)) stream.pause();
    clock.ms += 11_000;
    for (const { playing } of all) playing.ahead = 8;
    await admission.waitForCapacity(request, never);
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

/** A text that is still being written. The test adds its chunks. */
function openLive(admission: StreamAdmission, waiting = 0) {
  const stream = admission.join({ ...request, characters: undefined, waiting: () => waiting });
  const text = createChannel<SpeechChunk>(
    () => {},
    () => {},
  );
  const playing = { ahead: 0 };
  const source = stream.track(() => text, never)(() => playing.ahead);
  assert.ok(Symbol.asyncIterator in source);
  const iterator = source[Symbol.asyncIterator]();
  return {
    stream,
    playing,
    /** Requests the next chunk, which ends the current one. */
    next: () => iterator.next(),
    write: () => text.push(chunkOf("a".repeat(CHARACTERS))),
  };
}

describe("a live text", () => {
  it("is accepted and refused like a whole text of the length that is known", async () => {
    const whole = await openAll(openAdmission({ busyPerSecond: 0.3 }).admission, 100, { characters: CHARACTERS });
    const { admission } = openAdmission({ busyPerSecond: 0.3 });
    let accepted = 0;
    for (; accepted < 100; accepted++) {
      const live = openLive(admission);
      live.write();
      try {
        await live.next();
      } catch (error) {
        assert.ok(error instanceof SpeechError && error.code === "overloaded");
        break;
      }
      live.playing.ahead = 8;
      live.stream.pause();
      live.stream.resume();
    }
    assert.equal(accepted, whole.all.length);
    const { admission: another } = openAdmission({ busyPerSecond: 0.3 });
    await open(another);
    const long = openLive(another, 1e6);
    long.write();
    await assert.rejects(long.next(), SpeechError, "the text that waits counts, too");
  });

  it("has the same chances as a whole text when eight start at once", async () => {
    for (const busyPerSecond of [0.1, 0.5, 0.9, 2]) {
      const wholes = openAdmission({ busyPerSecond }).admission;
      const lives = openAdmission({ busyPerSecond }).admission;
      const accepted = async (starts: readonly Promise<unknown>[]): Promise<number> =>
        (await Promise.allSettled(starts)).filter(({ status }) => status === "fulfilled").length;
      const whole = await accepted(Array.from({ length: 8 }, () => openStream(wholes, CHARACTERS)));
      const live = await accepted(
        Array.from({ length: 8 }, () => {
          const opened = openLive(lives);
          opened.write();
          return opened.next();
        }),
      );
      assert.equal(live, whole, `${busyPerSecond} s of work for a second of speech`);
      assert.ok(whole > 0);
    }
  });

  it("waits a short time for capacity, as a whole text does", async () => {
    const { admission } = openAdmission({ busyPerSecond: 0.9, maxWaitMs: { usual: 60_000, burst: 60_000 } });
    const first = await open(admission);
    const live = openLive(admission);
    live.write();
    const started = live.next();
    const whole = admission.waitForCapacity(request, never);
    first.stream.leave();
    await started;
    live.stream.leave();
    await whole;
  });

  it("holds a place while it is spoken and shortly after, and is then accepted or refused again", async () => {
    const { admission, clock } = openAdmission({ busyPerSecond: 0.9, queue: 1 });
    const live = openLive(admission);
    const first = live.next();
    // Without text it holds none.
    const other = await open(admission);
    other.stream.leave();
    live.write();
    await first;
    const second = live.next();
    await Promise.resolve();
    await assert.rejects(open(admission), SpeechError, "it may go on at once");
    live.write();
    await second;
    const third = live.next();
    await Promise.resolve();
    clock.ms += 3_000;
    const candidate = await open(admission);
    live.write();
    await assert.rejects(third, SpeechError);
    candidate.stream.leave();
    live.stream.leave();
    await open(admission);
  });
});
