import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { chunkSamples } from "../../engines/silero/chunks.ts";
import { SpeechError } from "../../errors.ts";
import type { ListeningEvent, ListeningRequest } from "../../listening.ts";
import { type BurstWorkersOptions, bursts, bytesOf, createBurstWorkers } from "../../testing/burst-workers.ts";
import { createAssign } from "../assign.ts";
import type { RecognitionJob } from "../jobs.ts";
import { createFrameDecoder } from "./frame-decoder.ts";
import { createListener } from "./listener.ts";

const format = { encoding: "pcm_s16le", sampleRate: 16_000 } as const;

function open(request: Partial<ListeningRequest> = {}, options: BurstWorkersOptions = {}, signal?: AbortSignal) {
  const workers = createBurstWorkers(options);
  const costs: number[] = [];
  let ends = 0;
  let clockMs = 0;
  const full = { format, language: "en", ...request };
  const listening = createListener(
    full,
    {
      workers,
      assign: createAssign(["moonshine", "whisper"], undefined),
      decoder: createFrameDecoder(full.format),
      share: () => 0.3,
      onCost: ({ audioSeconds }) => costs.push(audioSeconds),
      onEnd: () => ends++,
      // Audio comes faster than it was spoken, so time has to pass faster, too.
      now: () => (clockMs += 500),
    },
    signal ?? new AbortController().signal,
  );
  return { listening, workers, costs, ends: () => ends };
}

/** Plays samples in pieces of 20 ms, as fast as they are taken, and collects all events. */
async function play(samples: Int16Array, request: Partial<ListeningRequest> = {}, options: BurstWorkersOptions = {}) {
  const opened = open(request, options);
  const { listening } = opened;
  const events: ListeningEvent[] = [];
  const reading = (async () => {
    for await (const event of listening) events.push(event);
  })();
  // A failure is reported below, when everything was sent.
  reading.catch(() => {});
  for (let at = 0; at < samples.length; at += 320) {
    listening.push(bytesOf(samples.slice(at, at + 320)));
    while (listening.isFull) await nextTurn();
    await nextTurn();
  }
  listening.end();
  await reading;
  return { ...opened, events, finals: events.filter((event) => event.type === "final") };
}

const silence = (ms: number) => ({ by: "silence", silenceMs: ms }) as const;

test("reports the start, the text and the end of each turn, with the times of the stream", async () => {
  const samples = bursts([0, 0, 1], [40, 0.5, 0.2], [60, 0.4, 1], [20, 0.6, 1]);
  const { events, finals, ends, costs } = await play(samples, { turnEnd: silence(500) });
  assert.deepEqual(
    finals.map(({ text, segment, endsTurn, language }) => [text, segment, endsTurn, language]),
    [
      ["40 60", 0, true, "en"],
      ["20", 1, true, "en"],
    ],
  );
  const order = events.map(({ type }) => type).filter((type) => type !== "partial");
  const turn = ["speech-started", "speech-stopped", "final"];
  assert.deepEqual(order, [...turn, ...turn]);
  const [started, stopped] = [
    events.find(({ type }) => type === "speech-started"),
    events.find(({ type }) => type === "speech-stopped"),
  ];
  assert.ok(started && "at" in started && Math.abs(started.at - 1) < 0.05);
  assert.ok(stopped && "at" in stopped && Math.abs(stopped.at - 2.1) < 0.05);
  const [word] = finals[0]?.words ?? [];
  assert.ok(word && Math.abs(word.start - 1) < 0.01 && Math.abs(word.end - 1.5) < 0.01);
  assert.equal(ends(), 1);
  assert.ok(Math.abs(costs.reduce((sum, seconds) => sum + seconds, 0) - samples.length / 16_000) < 0.05);
});

test("stable words of a partial text never change", async () => {
  const words = Array.from({ length: 20 }, (_, index) => [30 + index, 0.3, 0.1] as const);
  const { events, finals, workers } = await play(bursts([0, 0, 0.5], ...words, [0, 0, 1]), { turnEnd: silence(400) });
  const expected = words.map(([level]) => String(level));
  // They are not decoded again.
  const contexts = workers.jobs.flatMap((job) => (job.type === "transcribe" ? [job.known?.context ?? []] : []));
  assert.ok(contexts.some((context) => context.length > 1));
  for (const context of contexts) assert.ok(expected.join(" ").includes(context.join(" ")));
  assert.deepEqual(
    finals.flatMap(({ words }) => words.map(({ text }) => text)),
    expected,
  );
  for (const event of events) {
    if (event.type !== "partial") continue;
    assert.ok(event.stable <= event.words.length);
    assert.deepEqual(
      event.words.slice(0, event.stable).map(({ text }) => text),
      expected.slice(0, event.stable),
    );
  }
});

test("no decoding starts in a silence that may become a pause, which would end it", async () => {
  const words = Array.from({ length: 20 }, (_, index) => [30 + index, 0.3, 0.1] as const);
  const turnEnd = { by: "words", sentenceMs: 300, middleMs: 400 } as const;
  const { workers } = await play(bursts(...words, [0, 0, 1]), { turnEnd });
  const growing = workers.jobs.flatMap((job) =>
    job.type === "transcribe" && !job.judgesEnd && "samples" in job.audio ? [job.audio.samples] : [],
  );
  assert.ok(growing.length > 5);
  for (const samples of growing) assert.ok(samples.slice(-chunkSamples).some((sample) => sample !== 0));
});

test("without partial texts only turns are decoded", async () => {
  const { events, workers } = await play(bursts([40, 3, 1]), { partials: false, turnEnd: silence(400) });
  assert.equal(events.filter(({ type }) => type === "partial").length, 0);
  assert.equal(workers.jobs.filter(({ type }) => type === "transcribe").length, 1);
});

test("words decide how long the silence at the end of a turn is", async () => {
  const samples = bursts([40, 0.5, 0.6], [60, 0.5, 1.2]);
  const turnEnd = { by: "words", sentenceMs: 300, middleMs: 1000 } as const;
  assert.equal((await play(samples, { turnEnd }, { mark: "." })).finals.length, 2);
  assert.equal((await play(samples, { turnEnd }, { mark: "," })).finals.length, 1);
});

test("who has paused within a turn is waited for longer", async () => {
  const turnEnd = { by: "words", sentenceMs: 300, middleMs: 1000 } as const;
  const ends = async (...pauses: number[]): Promise<number> => {
    const samples = bursts(...pauses.map((pause, index) => [40 + index, 0.5, pause] as const), [80, 0.5, 1.2]);
    return (await play(samples, { turnEnd }, { mark: "." })).finals.length;
  };
  assert.equal(await ends(0.35, 0.55), 2);
  assert.equal(await ends(0.45, 0.55), 1);
});

test("an unlikely word before a pause is shown when the pause lasts, and always part of the final text", async () => {
  const shownIn = async (pause: number) => {
    const samples = bursts([40, 0.8, 0.2], [50, 0.5, pause], [60, 0.5, 0.9]);
    const { events, finals } = await play(samples, { turnEnd: silence(800) }, { unlikely: 50 });
    assert.deepEqual(
      finals.map(({ text }) => text),
      ["40 50 60"],
    );
    return events.some((event) => event.type === "partial" && event.text === "40 50");
  };
  assert.deepEqual([await shownIn(0.3), await shownIn(0.6)], [false, true]);
});

test("a pause ends the decoding of growing audio, whose words are decoded again", async () => {
  let ended = 0;
  const before = async (job: RecognitionJob, signal: AbortSignal) => {
    if (job.type !== "transcribe" || job.judgesEnd) return;
    await once(signal, "abort");
    ended++;
  };
  const turnEnd = { by: "words", sentenceMs: 300, middleMs: 600 } as const;
  const { finals } = await play(bursts([40, 1, 0.2], [60, 1, 1]), { turnEnd }, { before });
  assert.deepEqual(
    finals.map(({ text }) => text),
    ["40 60"],
  );
  assert.ok(ended > 0);
});

test("a long turn is cut at pauses, and between words where there are none", async () => {
  const paused = await play(bursts([40, 13, 0.3], [60, 1, 1]), { turnEnd: silence(500) });
  assert.deepEqual(
    paused.finals.map(({ text, endsTurn }) => [text, endsTurn]),
    [
      ["40", false],
      ["60", true],
    ],
  );
  // The whole turn tells whether its last sentence has ended.
  const last = paused.workers.jobs.findLast((job) => job.type === "transcribe");
  assert.ok(last?.type === "transcribe" && last.known);
  assert.deepEqual([...(last.known.before ?? []), ...last.known.context.flat(), ...last.known.draft], [40, 60]);
  const words = Array.from({ length: 60 }, (_, index) => [10 + index, 0.46, 0.04] as const);
  const dense = await play(bursts(...words, [0, 0, 1]), { turnEnd: silence(500) });
  assert.ok(dense.finals.length > 1);
  assert.deepEqual(
    dense.finals.flatMap(({ words: found }) => found.map(({ text }) => text)),
    words.map(([level]) => String(level)),
  );
});

test("a flush ends the turn at once, and is answered in order", async () => {
  const { listening } = open({ turnEnd: { by: "client" } });
  const events = listening[Symbol.asyncIterator]();
  const until = async (type: ListeningEvent["type"]) => {
    for (;;) {
      const { value, done } = await events.next();
      assert.ok(!done);
      if (value.type === type) return value;
    }
  };
  listening.push(bytesOf(bursts([40, 0.6, 0])));
  listening.flush();
  const final = await until("final");
  assert.ok(final.type === "final" && final.text === "40" && final.endsTurn);
  await until("flushed");
  listening.flush();
  await until("flushed");
  listening.push(bytesOf(bursts([50, 0.6, 0])));
  listening.end();
  const last = await until("final");
  assert.ok(last.type === "final" && last.text === "50");
  assert.equal((await events.next()).done, true);
});

test("a flush right after audio that is too short for a step is not missed", async () => {
  const { listening } = open({ turnEnd: { by: "client" } });
  const samples = bursts([40, 0.6, 0.6]);
  for (let at = 0; at < samples.length; at += 512) {
    listening.push(bytesOf(samples.slice(at, at + 512)));
    await nextTurn();
    await nextTurn();
  }
  listening.push(new Uint8Array(0));
  listening.flush();
  for await (const event of listening) if (event.type === "flushed") return;
  assert.fail("it was not answered");
});

test("the language is found in the first seconds of speech", async () => {
  const { finals, workers } = await play(
    bursts([40, 2, 1], [50, 2, 1]),
    { language: undefined, turnEnd: silence(400) },
    { language: "fr" },
  );
  assert.deepEqual(
    finals.map(({ language }) => language),
    ["fr", "fr"],
  );
  assert.equal(workers.jobs.filter(({ type }) => type === "detect-language").length, 1);
  assert.ok(workers.jobs.every((job) => job.type !== "transcribe" || job.engine === "whisper"));
});

test("silence gives no event", async () => {
  const { events } = await play(bursts([0, 0, 20]));
  assert.deepEqual(events, []);
});

test("a decoding that fails is repeated from the buffered audio, and given up in the end", async () => {
  let left = 2;
  const fails = (job: { readonly type: string }) => {
    if (job.type === "transcribe" && left-- > 0) throw new SpeechError("failed", "the worker is gone");
  };
  const request = { partials: false, turnEnd: silence(400) };
  assert.deepEqual(
    (await play(bursts([40, 1, 1]), request, { before: fails })).finals.map(({ text }) => text),
    ["40"],
  );
  left = Number.POSITIVE_INFINITY;
  await assert.rejects(play(bursts([40, 1, 1]), request, { before: fails }), /the worker is gone/);
});

test("is full while its audio waits, and keeps no more than a turn needs", async () => {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { listening } = open({}, { before: (job) => (job.type === "follow-speech" ? held : undefined) });
  assert.equal(listening.isFull, false);
  listening.push(bytesOf(bursts([0, 0, 10])));
  assert.equal(listening.isFull, true);
  assert.equal(listening.seconds, 10);
  listening.end();
  release();
  for await (const event of listening) assert.fail(event.type);
  assert.equal(listening.isFull, false);
});

test("ends with its signal", async () => {
  const controller = new AbortController();
  const { listening, ends } = open({}, {}, controller.signal);
  listening.push(bytesOf(bursts([40, 1, 0])));
  controller.abort(new Error("gone"));
  await assert.rejects(async () => {
    for await (const _ of listening);
  }, /gone/);
  assert.equal(ends(), 1);
  listening.push(bytesOf(bursts([40, 1, 0])));
  listening.flush();
});
