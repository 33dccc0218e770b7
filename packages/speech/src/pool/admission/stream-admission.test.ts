import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type ChunkFigures, SpeechError } from "../../speech.ts";
import { chunkOf } from "../../testing/chunks.ts";
import { createSpeechAdmission, type SpeechAdmission } from "./stream-admission.ts";

const never = new AbortController().signal;
/** What the measured figures of a chunk of 100 characters are taken to be: ten seconds of speech. */
const CHARACTERS = 100;
const SECONDS = 10;

/** A house with a clock that is moved by hand. */
function house(
  options: { readonly busyPerSecond?: number; readonly queue?: number; readonly keepAhead?: boolean } = {},
) {
  const clock = { ms: 0 };
  const { busyPerSecond = 0.2, queue = 1000, keepAhead = true } = options;
  const admission = createSpeechAdmission({
    queue,
    keepAhead,
    engines: { kokoro: { workers: 2, prior: busyPerSecond }, piper: { workers: 2, prior: busyPerSecond } },
    now: () => clock.ms,
    loopActiveMs: () => 0,
  });
  return { admission, clock };
}

const wish = { engines: ["kokoro"], characters: 10 * CHARACTERS, speed: 1 } as const;
const figures = (busyMs: number): ChunkFigures => ({
  engine: "kokoro",
  queueMs: 0,
  busyMs,
  audioSeconds: SECONDS,
  outcome: "done",
});

/** A stream up to its first chunk, of which nothing has come yet. Throws when it is refused. */
async function openStream(admission: SpeechAdmission, text: number | undefined, unheard?: true) {
  const stream = admission.join({ ...wish, characters: text, unheard });
  const playing = { ahead: 0 };
  async function* chunks() {
    for (let at = 0; text === undefined || at < text; at += CHARACTERS) {
      yield { ...chunkOf("a".repeat(CHARACTERS)), from: at, to: at + CHARACTERS };
    }
  }
  const source = stream.watch(chunks, () => "kokoro", never)(() => playing.ahead);
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
    /** The chunk in hand was spoken. */
    async spoken(busyMs = 1) {
      stream.spoke(figures(busyMs));
      await iterator.next();
    },
    /** So much is there now, and with the reader. */
    heard(ahead: number) {
      playing.ahead = ahead;
      stream.hold();
      stream.resume();
    },
  };
}

const open = (admission: SpeechAdmission) => openStream(admission, wish.characters);

async function openAll(admission: SpeechAdmission, most: number, text: { characters: number | undefined } = wish) {
  const all: Awaited<ReturnType<typeof openStream>>[] = [];
  let refusal: unknown;
  while (all.length < most && refusal === undefined) {
    try {
      const one = await openStream(admission, text.characters);
      // It has its lead: the next may begin.
      one.heard(8);
      all.push(one);
    } catch (error) {
      refusal = error;
    }
  }
  return { all, refusal };
}

describe("the house", () => {
  it("takes as many as the workers keep ahead, and tells the next when to come back", async () => {
    // Two workers, a fifth of one for each stream: ten at most, and seven with the part that may be promised.
    const { admission } = house({ busyPerSecond: 0.2 });
    const { all, refusal } = await openAll(admission, 100);
    assert.ok(all.length >= 7 && all.length < 10, `${all.length} streams`);
    assert.ok(refusal instanceof SpeechError && refusal.code === "overloaded");
    assert.ok((refusal.retryAfterSeconds ?? 0) >= 1 && (refusal.retryAfterSeconds ?? 0) <= 60);
    assert.throws(() => admission.requireRoom(wish), SpeechError);
    for (const { stream } of all.slice(0, 2)) stream.leave();
    admission.requireRoom(wish);
    await open(admission);
  });

  it("learns what a second of speech costs", async () => {
    const { admission } = house({ busyPerSecond: 0.2 });
    const first = await open(admission);
    for (let chunk = 0; chunk < 8; chunk++) await first.spoken(SECONDS * 1000 * 0.05);
    first.stream.leave();
    const cheap = await openAll(admission, 100);
    assert.ok(cheap.all.length > 20, `${cheap.all.length} streams`);
    for (const { stream } of cheap.all) stream.leave();
    const dear = await open(admission);
    for (let chunk = 0; chunk < 9; chunk++) await dear.spoken(SECONDS * 1000 * 0.8);
    dear.stream.leave();
    const { all } = await openAll(admission, 100);
    assert.ok(all.length < 4, `${all.length} streams`);
  });

  it("does not hold the crowd against an engine: what two engines take at once is not what one takes alone", async () => {
    const { admission } = house({ busyPerSecond: 0.1 });
    const room = (await openAll(admission, 100)).all;
    for (const { stream } of room) stream.leave();
    // All workers of both engines are busy, so all is twice as slow.
    const pipers = [1, 2].map(() => admission.join({ ...wish, engines: ["piper"] }));
    for (const stream of pipers) {
      const source = stream.watch(
        () => [chunkOf("a".repeat(CHARACTERS))],
        () => "piper",
        never,
      )(() => 0);
      assert.ok(Symbol.asyncIterator in source);
      await source[Symbol.asyncIterator]().next();
    }
    const kokoros = [await open(admission), await open(admission)];
    for (let chunk = 0; chunk < 9; chunk++) for (const one of kokoros) await one.spoken(SECONDS * 1000 * 0.2);
    for (const stream of [...pipers, ...kokoros.map(({ stream }) => stream)]) stream.leave();
    const { all } = await openAll(admission, 100);
    assert.ok(all.length >= room.length - 2, `${all.length} instead of ${room.length}`);
  });

  it("takes anybody who is alone, however slow the machine is", async () => {
    const { admission } = house({ busyPerSecond: 50 });
    const { all } = await openAll(admission, 100);
    assert.equal(all.length, 1);
  });

  it("takes nobody while a listener waits for a worker", async () => {
    const { admission, clock } = house({ busyPerSecond: 0.01 });
    const slow = await open(admission);
    slow.heard(0.3);
    slow.playing.ahead = 0;
    admission.requireRoom(wish);
    clock.ms += 2000;
    assert.throws(() => admission.requireRoom(wish), SpeechError);
    slow.heard(2);
    admission.requireRoom(wish);
  });

  it("gives a burst the moment that it needs, but not where others have to be kept ahead", async (context) => {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    const { admission, clock } = house({ busyPerSecond: 0.01 });
    const wait = async (ms: number) => {
      // What is to come of it comes at once.
      await new Promise(setImmediate);
      context.mock.timers.tick(ms);
      await new Promise(setImmediate);
    };
    const atOnce = await Promise.all([1, 2, 3, 4].map(() => open(admission)));
    let fifth = "waits";
    const waited = open(admission).then(
      () => {
        fifth = "speaks";
      },
      () => {
        fifth = "refused";
      },
    );
    await wait(500);
    assert.equal(fifth, "waits");
    atOnce[0]?.heard(2);
    await waited;
    assert.equal(fifth, "speaks");
    clock.ms += 2_000;
    const sixth = assert.rejects(open(admission), SpeechError);
    await wait(130);
    await sixth;
  });

  it("lets nobody wait, or come back later, for what no one listens to", async () => {
    const { admission, clock } = house({ busyPerSecond: 50 });
    // More than may begin at a time, and all of them late.
    const checks = await Promise.all([1, 2, 3, 4, 5].map(() => openStream(admission, CHARACTERS, true)));
    for (const check of checks) check.heard(0.3);
    for (const check of checks) check.playing.ahead = 0;
    clock.ms += 2000;
    admission.requireRoom(wish);
    await open(admission);
    await assert.rejects(
      openStream(admission, CHARACTERS, true),
      SpeechError,
      "where there is no room, not for it either",
    );
    for (const { stream } of checks) stream.leave();
  });

  it("counts nothing for a text that is all spoken, or whose reader is away", async () => {
    const { admission, clock } = house({ busyPerSecond: 0.2 });
    const { all } = await openAll(admission, 100);
    assert.throws(() => admission.requireRoom(wish), SpeechError);
    for (const { stream } of all.slice(0, 3)) stream.hold();
    clock.ms += 11_000;
    for (const { playing } of all) playing.ahead = 8;
    admission.requireRoom(wish);
  });

  it("has a hard bound, and none other where it is told to", async () => {
    const { admission } = house({ busyPerSecond: 50, queue: 20, keepAhead: false });
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

describe("a text that is being written", () => {
  it("counts while it is spoken, not while it waits for words, and is not refused when they come", async () => {
    const { admission, clock } = house({ busyPerSecond: 0.3 });
    const live = await openStream(admission, undefined);
    const written = { characters: undefined };
    const { all } = await openAll(admission, 100, written);
    assert.throws(() => admission.requireRoom({ ...wish, ...written }), SpeechError);
    const words = gate();
    const waiting = admission.join({ ...wish, characters: undefined });
    async function* slow() {
      await words.opened;
      yield chunkOf("a".repeat(CHARACTERS));
    }
    const source = waiting.watch(slow, () => "kokoro", never)(() => 0);
    assert.ok(Symbol.asyncIterator in source);
    const refused = source[Symbol.asyncIterator]().next();
    // Nothing was said on it yet: it has taken no room, and there is none when its words come.
    words.open();
    await assert.rejects(refused, SpeechError);
    waiting.leave();
    // The one that speaks already is never refused.
    await live.spoken();
    for (const { stream } of all) stream.leave();
    live.stream.leave();
    clock.ms += 1000;
    await openStream(admission, undefined);
  });

  it("gives its room away when it has been silent for a while", async () => {
    const { admission, clock } = house({ busyPerSecond: 0.9 });
    const stream = admission.join({ ...wish, characters: undefined });
    const words = gate();
    async function* pausing() {
      yield chunkOf("a".repeat(CHARACTERS));
      await words.opened;
      yield chunkOf("a".repeat(CHARACTERS));
    }
    const source = stream.watch(pausing, () => "kokoro", never)(() => 0);
    assert.ok(Symbol.asyncIterator in source);
    const iterator = source[Symbol.asyncIterator]();
    await iterator.next();
    const next = iterator.next();
    await Promise.resolve();
    assert.throws(() => admission.requireRoom(wish), SpeechError);
    clock.ms += 3000;
    admission.requireRoom(wish);
    words.open();
    await next;
    assert.throws(() => admission.requireRoom(wish), SpeechError);
  });
});
